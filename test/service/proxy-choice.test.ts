import { expect, test } from 'vitest';
import { chooseProxy } from '../../src/service/proxy-choice.ts';

const both = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'http://secure:2' };

test('the scheme of the address chooses the variable', () => {
  expect(chooseProxy('http://service.example', both)).toEqual({
    variable: 'HTTP_PROXY',
    uri: 'http://plain:1',
  });
  expect(chooseProxy('https://service.example', both)).toEqual({
    variable: 'HTTPS_PROXY',
    uri: 'http://secure:2',
  });
  expect(chooseProxy('https://service.example', { HTTP_PROXY: 'http://plain:1' })).toBeNull();
});

test('the lower-case name wins, an empty value is none, and a bare host and port is an http proxy', () => {
  expect(chooseProxy('http://service.example', { ...both, http_proxy: 'lower:3' })).toEqual({
    variable: 'http_proxy',
    uri: 'http://lower:3',
  });
  expect(chooseProxy('http://service.example', { HTTP_PROXY: ' ' })).toBeNull();
});

test.each(['http', 'https'])('ALL_PROXY counts for %s where its own variable is empty', (scheme) => {
  const all = { ALL_PROXY: 'socks5h://127.0.0.1:1080', NO_PROXY: 'other.example' };
  expect(chooseProxy(`${scheme}://service.example`, all)?.variable).toBe('ALL_PROXY');
  expect(chooseProxy(`${scheme}://service.example`, { ...all, ...both })?.variable).not.toBe('ALL_PROXY');
  expect(chooseProxy(`${scheme}://other.example`, all)).toBeNull();
});

test.each([
  'http://localhost:8080',
  'http://LOCALHOST./x',
  'http://api.localhost',
  'http://127.0.0.1',
  'http://127.9.9.9:1',
  'http://2130706433/',
  'http://[::1]:8080',
  'http://[::ffff:127.0.0.1]/',
])('%s never goes through a proxy', (url) => {
  expect(chooseProxy(url, both)).toBeNull();
});

test.each(['http://127.example', 'http://localhost.example', 'http://10.0.0.1', 'http://[::2]'])(
  '%s is not loopback',
  (url) => {
    expect(chooseProxy(url, both)?.variable).toBe('HTTP_PROXY');
  },
);

test.each<[string, string, boolean]>([
  ['*', 'http://service.example', true],
  ['other, service.example', 'http://service.example', true],
  ['.service.example', 'http://service.example', true],
  ['example', 'http://service.example', true],
  ['*.example', 'http://service.example', true],
  ['*.service.example', 'http://service.example', false],
  ['vice.example', 'http://service.example', false],
  ['SERVICE.EXAMPLE.', 'http://service.example', true],
  ['service.example:80', 'http://service.example', true],
  ['service.example:8080', 'http://service.example', false],
  ['service.example:443', 'https://service.example', true],
  ['*:8080', 'http://service.example:8080', true],
  ['10.0.0.0/8', 'http://10.1.2.3:8080', true],
  ['10.0.0.0/8', 'http://11.1.2.3', false],
  ['10.0.0.0/8', 'http://10.example', false],
  ['10.0.0.0/99', 'http://10.1.2.3', false],
  ['1:2/8', 'http://[fd12::1]', false],
  ['fd00::/8', 'http://[::ffff:1.2.3.4]', false],
  ['example/8', 'http://service.example', false],
  ['fd00::/8', 'http://[fd12::1]', true],
  ['[fd00::]/8', 'http://[fd12::1]', true],
  ['fd00::/8', 'http://10.1.2.3', false],
  ['fd00::1', 'http://[fd00::1]', true],
  ['[fd00::1]:80', 'http://[fd00::1]', true],
  ['[fd00::1]:81', 'http://[fd00::1]', false],
  [' , ', 'http://service.example', false],
])('NO_PROXY %j and %s: excepted is %s', (exceptions, url, excepted) => {
  expect(chooseProxy(url, { ...both, NO_PROXY: exceptions }) === null).toBe(excepted);
  expect(chooseProxy(url, { ...both, no_proxy: exceptions, NO_PROXY: '' }) === null).toBe(excepted);
});
