import { expect, test } from 'vitest';
import {
  judgeSilence,
  obstacleOf,
  probeText,
  proxyRefusalCode,
  silenceText,
} from '../../../src/money/answers/silent-creation.ts';
import { createRedact } from '../../../src/text/redact.ts';

const passingCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'UND_ERR_DESTROYED',
  'UND_ERR_PRX_CONN',
  '',
];
const configurationCodes = [
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'EPROTO',
  'UND_ERR_PRX_TLS',
  'UND_ERR_INVALID_ARG',
  'HTTP_407',
];
const judge = (sent: boolean, ...codes: string[]) =>
  judgeSilence(
    { sent, why: 'no key sk-123456', codes, place: 'https://x.example' },
    { now: 7, redact: createRedact(['sk-123456']) },
  );

test.each([...passingCodes, ...configurationCodes])(
  '%s after the latch leaves a creation uncertain',
  (code) => {
    expect(judge(true, code)).toMatchObject({
      type: 'creation-uncertain',
      failure: 'sent to https://x.example, but no answer came: no key [secret]',
    });
  },
);

test.each(passingCodes)('%s before the latch means that a creation was not sent', (code) => {
  expect(judge(false, code)).toEqual({
    type: 'creation-not-sent',
    at: 7,
    failure: 'not sent to https://x.example: no key [secret]',
  });
});

test.each(configurationCodes)(
  '%s before the latch is a matter of configuration, also as a cause, and ends a run only where no request can be built',
  (code) => {
    const isUnbuilt = code === 'UND_ERR_INVALID_ARG';
    for (const codes of [[code], ['UND_ERR', code]]) {
      const event = judge(false, ...codes);
      expect(event).toMatchObject({ failure: expect.stringContaining('cannot be used: ') });
      expect('endsRun' in event).toBe(isUnbuilt);
    }
  },
);

test.each([
  [['HTTP_407'], /cannot be used: .*; the proxy requires credentials/],
  [['CERT_HAS_EXPIRED'], /cannot be used: .*; the certificate has expired/],
  [['ECONNREFUSED'], /^no answer from https:\/\/x\.example: why$/],
] as const)('a request that costs nothing and ended with %j is told in words', (codes, said) => {
  const silence = { sent: false, why: 'why', codes, place: 'https://x.example' };
  expect(silenceText(silence, (text) => text)).toMatch(said);
});

test.each([
  ['ENOTFOUND', 'no-host'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['EPROTO', 'tls'],
  [proxyRefusalCode, 'proxy'],
  ['UND_ERR_PRX_TLS', 'proxy'],
  ['UND_ERR_INVALID_ARG', 'misconfigured'],
  ['ECONNREFUSED', null],
  ['EAI_AGAIN', null],
])('what keeps a request from the service is known by %s: %s', (code, obstacle) => {
  expect(obstacleOf([code])).toBe(obstacle);
});

test('the question who is there says what to look at', () => {
  const silence = { sent: false, why: 'refused', codes: ['ECONNREFUSED'], place: 'https://service.example' };
  const text = probeText(silence, createRedact([]));
  expect(text).toBe('https://service.example cannot be reached: refused; check --base-url');
  const certificate = probeText({ ...silence, codes: ['CERT_HAS_EXPIRED'] }, createRedact([]));
  expect(certificate).toContain('the certificate has expired');
});

test('a TLS failure is told without the words of the TLS library', () => {
  const why =
    '404D62336D7F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/tlsany_meth.c:77:';
  const silence = { sent: false, why, codes: ['ERR_SSL_WRONG_VERSION_NUMBER'], place: 'https://x.example' };
  const plain = (text: string): string => text;
  expect(probeText(silence, plain)).toMatch(
    /^https:\/\/x\.example cannot be reached: wrong version number; /,
  );
  const otherProtocol = { ...silence, codes: ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'] };
  const said =
    'it speaks only HTTP/2, and batch speaks HTTP/1.1; check --base-url, or ask its owner for HTTP/1.1';
  expect(probeText(otherProtocol, plain)).toBe(`https://x.example cannot be reached: ${said}`);
  expect(silenceText(otherProtocol, plain)).toBe(`https://x.example cannot be used: ${said}`);
  expect(judgeSilence(otherProtocol, { now: 7, redact: plain })).toMatchObject({
    type: 'creation-not-sent',
    failure: `https://x.example cannot be used: ${said}`,
  });
});
