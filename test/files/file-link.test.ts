import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absoluteLink,
  browserLink,
  parseLink,
  placeOf,
  resolveRedirect,
  spellingsOf,
} from '../../src/files/file-link.ts';
import { anyText } from '../money/any-text.ts';

const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

describe('a link', () => {
  it('keeps path and query byte for byte, up to a fragment', () => {
    const property = fc.property(printable, (text) => {
      expect(parseLink(`https://files.example/${text}`)?.path).toBe(`/${text.replace(/#.*/, '')}`);
    });
    fc.assert(property);
  });

  it('never has a path that could break a request line, whatever is in it', () => {
    const property = fc.property(anyText, (text) => {
      const link = parseLink(`http://files.example/${text}`);
      expect(link === null || /^\/[\x21-\x7e]*$/.test(link.path)).toBe(true);
    });
    fc.assert(property);
  });

  it('has the host that the URL standard sees in it, or is none', () => {
    const property = fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
      expect(parseLink(text)?.hostname).toBe(new URL(text).hostname);
    });
    fc.assert(property);
    expect(parseLink('HTTP://0x7F.1:080/')).toMatchObject({ scheme: 'http', hostname: '127.0.0.1' });
    expect(parseLink('https://[::FFFF:127.0.0.1]/')).toMatchObject({ hostname: '::ffff:7f00:1' });
  });

  it.each([
    ['https://user:pass%20word@files.example/v', 'user:pass word'],
    ['https://%E4@files.example/v', '%E4:'],
    ['https://:word@files.example/v', ':word'],
    ['https://files.example/user:word@v', null],
  ])('may hold credentials, which are no part of what is asked and shown: %s', (text, credentials) => {
    const link = parseLink(text);
    expect(link).toMatchObject({ origin: 'https://files.example', credentials });
    expect(link && placeOf({ ...link, path: '/v' })).toBe('https://files.example/v');
  });

  it.each([
    ['https://files.example:8443/a%2Fb.mp4?sig=SECRET?more#x', 'https://files.example:8443/a%2Fb.mp4'],
    ['https://files.example/SECRET/2026/b.mp4?sig=SECRET', 'https://files.example/…/b.mp4'],
    ['https://files.example/b.mp4;token=SECRET', 'https://files.example/b.mp4'],
    ['https://files.example/SECRET/', 'https://files.example/…/'],
    ['https://files.example', 'https://files.example/'],
    [`https://files.example/a/${'SECRET'.repeat(20)}.video.mp4`, 'https://files.example/…/…ET.video.mp4'],
  ])('is shown by its host and the last segment of its path: %s', (text, shown) => {
    const link = parseLink(text);
    expect(link && placeOf(link)).toBe(shown);
  });
});

describe('a link of the service', () => {
  it.each([
    ['/files/a b.mp4?sig=%2b', 'https://s.example/files/a b.mp4?sig=%2b'],
    ['//files.example/v.mp4', 'https://files.example/v.mp4'],
    ['files/v.mp4?a:b', 'https://s.example/v1/files/v.mp4?a:b'],
    ['v.mp4', 'https://s.example/v1/v.mp4'],
    ['../v.mp4', 'https://s.example/v.mp4'],
    ['.//[/v', 'https://s.example/v1//[/v'],
    ['videos/x.mp4', 'https://s.example/v1/videos/x.mp4'],
    ['v1.2/x.mp4', 'https://s.example/v1/v1.2/x.mp4'],
    ['video.mov?a=/b', 'https://s.example/v1/video.mov?a=/b'],
    ['cdn.example/x.mp4?sig=%2b', 'https://cdn.example/x.mp4?sig=%2b'],
    ['a-b.cdn.xn--fiqs8s/x/', 'https://a-b.cdn.xn--fiqs8s/x/'],
    ['cdn.example:8443/x', 'https://cdn.example:8443/x'],
    ['localhost:8080/x', 'https://localhost:8080/x'],
    ['127.0.0.1/x', 'https://127.0.0.1/x'],
    ['127.0.0.1:80/x', 'https://127.0.0.1:80/x'],
    ['[::1]:80/x', 'https://[::1]:80/x'],
    ['cdn.example\\/x', 'https://cdn.example\\/x'],
    ['\\/x\\/y', 'https://s.example\\/x\\/y'],
    ['\\/\\/cdn.example\\/x', 'https:\\/\\/cdn.example\\/x'],
  ])('is relative to its address: %s', (link, absolute) => {
    expect(absoluteLink(link, 'https://s.example/v1/')).toBe(absolute);
    expect(absoluteLink(` ${link}`, 'https://s.example/v1')).toBe(absolute);
  });

  it.each([
    'https://files.example/x/../v.mp4?a=/b',
    'http://',
    'ftp://files.example/v',
    'data:text/plain,x.y',
    'mailto:x/y',
    'no video could be made. Sorry',
    'later',
    '',
  ])('stays as it is: %s', (text) => {
    expect(absoluteLink(text, 'https://s.example/v1')).toBe(text);
  });

  it('stays as it is where the address of the service is none', () => {
    expect(absoluteLink('/v.mp4', 'nowhere')).toBe('/v.mp4');
  });

  it('is meant as it is', () => {
    expect(spellingsOf('https://f.example/v?a=1&b=2')).toEqual(['https://f.example/v?a=1&b=2']);
  });

  it.each([
    ['https://f.example/v?a=1&amp;b=2&amp;c', 'https://f.example/v?a=1&b=2&c'],
    ['https://f.example/v?a=1\\u0026b=2\\u003D', 'https://f.example/v?a=1&b=2='],
    ['https:\\/\\/f.example\\/v', 'https://f.example/v'],
    ['https://f.example/v?a=1\\u0026amp;b', 'https://f.example/v?a=1&b'],
  ])('is tried without its marks, too: %s', (link, unescaped) => {
    expect(spellingsOf(link)).toEqual(link.startsWith('https://') ? [link, unescaped] : [unescaped]);
  });

  it.each([
    ['https://f.example/a\nb?sig=1', 'https://f.example/ab?sig=1'],
    [`https://f.example/v?a='`, 'https://f.example/v?a=%27'],
  ])('is tried as it is, then as the URL standard reads it: %j', (link, standard) => {
    expect(spellingsOf(link)).toEqual([link, standard]);
  });

  it.each([
    ['http:\\\\f.example\\v.mp4', 'http://f.example/v.mp4'],
    ['https:/f.example/v.mp4', 'https://f.example/v.mp4'],
    ['https://f.exa\r\nmple/v.mp4', 'https://f.example/v.mp4'],
  ])('that no request can hold is read by the URL standard alone: %j', (link, standard) => {
    expect(spellingsOf(link)).toEqual([standard]);
  });

  it.each(['javascript:alert(1)', 'https://', 'no link'])('is none, and stays as it is: %s', (text) => {
    expect(spellingsOf(text)).toEqual([text]);
    expect(browserLink(text)).toBeNull();
  });

  it.each([
    [' https://f.example/视频 ', 'https://f.example/视频'],
    ['https://f.example/a\nb c', 'https://f.example/ab%20c'],
    ['https://u:p@f.example/v', 'https://u:p@f.example/v'],
    ['data:video/mp4;base64,AAAA', 'data:video/mp4;base64,AAAA'],
  ])('is taken to a browser in visible characters: %j', (link, shown) => {
    expect(browserLink(link)).toBe(shown);
  });
});

describe('a redirect', () => {
  const from = {
    scheme: 'https',
    origin: 'https://a.example',
    hostname: 'a.example',
    path: '/dir/x?q',
    credentials: null,
  } as const;

  it.each([
    ['https://b.example/x/../y?a=%2b', 'https://b.example', '/x/../y?a=%2b'],
    ['http://b.example', 'http://b.example', '/'],
    ['//b.example/y', 'https://b.example', '/y'],
    ['/x/../y', 'https://a.example', '/x/../y'],
    ['y', 'https://a.example', '/dir/y'],
    ['../y', 'https://a.example', '/y'],
    ['?r', 'https://a.example', '/dir/x?r'],
    ['https:\\\\b.example\\y', 'https://b.example', '/y'],
    ['https:///b.example/y', 'https://b.example', '/y'],
  ])('to %s leads to %s%s', (location, origin, path) => {
    expect(resolveRedirect(from, location)).toMatchObject({ origin, path });
  });

  it('takes the credentials of the link to its host alone, and those of its target there', () => {
    const asked = { ...from, credentials: 'u:p' };
    expect(resolveRedirect(asked, '/y')?.credentials).toBe('u:p');
    expect(resolveRedirect(asked, 'https://b.example/y')?.credentials).toBeNull();
    for (const target of ['https://v:q@b.example/y', 'https://v:q@a.example/y'])
      expect(resolveRedirect(asked, target)?.credentials).toBe('v:q');
  });

  it.each(['file:///etc/passwd', 'https://', '//', 'data:,x', 'other://[', 'mailto:a@b.example'])(
    'to %s leads nowhere',
    (location) => {
      expect(resolveRedirect(from, location)).toBeNull();
    },
  );
});
