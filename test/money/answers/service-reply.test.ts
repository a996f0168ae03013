import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordOf } from '../../support/creation-word.ts';
import { anyText } from '../any-text.ts';
import { accepted, bars, creation, error, key, status, success } from '../replies.ts';

test.each([401, 402, 403])('HTTP %i refuses the key, with or without an envelope', (httpStatus) => {
  expect(creation(httpStatus, error('Unauthorized: Invalid API key'))).toMatchObject({
    type: 'creation-barred',
    bar: bars[httpStatus],
    failure: 'Unauthorized: Invalid API key',
  });
  expect(creation(httpStatus, '')).toMatchObject({
    bar: bars[httpStatus],
    failure: `HTTP ${httpStatus}`,
  });
  expect(status(error('no'), httpStatus)).toEqual({
    type: 'poll-refused',
    failure: 'no',
    endsRun: bars[httpStatus],
  });
});

test('a proxy is named with an answer that may be its own', () => {
  const forwardedBy = 'the proxy of HTTP_PROXY, p:1';
  const failures = [error('no points'), '', '502 Bad Gateway'].map((body) =>
    creation(400, body, { forwardedBy }),
  );
  expect(failures).toMatchObject([
    { failure: 'no points' },
    { failure: `HTTP 400 (through ${forwardedBy})` },
    { failure: `HTTP 400 (through ${forwardedBy}): 502 Bad Gateway` },
  ]);
});

describe('text of the service', () => {
  test('never brings the key back, however it was echoed', () => {
    const echoes = [
      creation(400, error(`no such key: ${key}`)),
      creation(400, error({ sent: key })),
      creation(400, error(`sk-very\u0000-secret\u001b-key`)),
      creation(400, error(`${'x'.repeat(1_990)}${key}`)),
      creation(404, `<p>${key}</p>`),
      creation(502, `${'y'.repeat(190)}${key}`),
      creation(307, '', { location: `/${key}/` }),
      status(error(`task not found for ${key}`)),
      status(success({ task_id: key, status: 'X' })),
      status(success({ status: key })),
      status(success({ status: 'COMPLETED', title: key, created_at: key, consumption: { detail: key } })),
      status(success({ status: 'FAILED', result: { type: 'text', content: key } })),
    ];
    for (const verdict of echoes) expect(JSON.stringify(verdict)).not.toMatch(/sk-very|secret-key/);
  });

  test('keeps links and task ids as they are, also where they look like secrets', () => {
    const url = `https://f.example/v?sig=${key}`;
    expect(creation(200, success({ task_id: key }))).toEqual(accepted(key));
    expect(status(success({ status: 'COMPLETED', result: { type: 'video', content: url } }))).toMatchObject({
      videoUrl: url,
    });
  });

  test('of a gateway is said once', () => {
    const page =
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body>';
    expect(status(page, 502)).toMatchObject({ failure: 'HTTP 502: Bad Gateway nginx' });
    const numbered = '<title>503 Service Unavailable</title><h1>Service Unavailable</h1>';
    expect(status(numbered, 503)).toMatchObject({ failure: 'HTTP 503: Service Unavailable' });
  });

  test('is well-formed and has an end', () => {
    const verdict = creation(400, error(`\ud800${'😀'.repeat(5_000)}`));
    const failure = verdict.type === 'creation-refused' ? verdict.failure : '';
    expect(failure.length).toBeLessThanOrEqual(2_000);
    expect(failure.isWellFormed()).toBe(true);
    expect(failure.startsWith('\ufffd😀')).toBe(true);
  });
});

describe('no body', () => {
  const outcomes =
    /^(accepted|refused|misconfigured|barred|uncertain|task-(progressed|completed|failed|not-found)|poll-(unanswered|refused))$/;
  const bothVerdicts = (body: string, httpStatus = 200): string[] => [
    wordOf(creation(httpStatus, body)),
    status(body, httpStatus).type,
  ];

  test('of any JSON can break the judgement', () => {
    const word = fc.constantFrom(
      'status',
      'data',
      'task_id',
      'messages',
      'progress',
      'consumption',
      'result',
      'type',
      'value',
      'content',
      'id',
      'image',
      'title',
      'detail',
      '__proto__',
      'constructor',
      'toString',
    );
    const value = fc.oneof(
      fc.constantFrom('success', 'error', 'COMPLETED', 'FAILED', 'score', 'video', 'text'),
      fc.jsonValue(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, value, fc.array(tie('tree')), fc.dictionary(word, tie('tree'))),
    }));
    const data = fc.dictionary(word, tree);
    const envelope = fc.record({
      status: fc.constantFrom('success', 'error', null),
      data: fc.oneof(data, tree),
    });
    fc.assert(
      fc.property(
        fc.oneof(tree, envelope),
        fc.integer({ min: 200, max: 599 }),
        fc.nat(),
        (body, httpStatus, cut) => {
          const text = JSON.stringify(body) ?? '';
          for (const piece of [text, text.slice(0, cut % (text.length + 1)), `${text}}`]) {
            for (const verdict of bothVerdicts(piece, httpStatus)) expect(verdict).toMatch(outcomes);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('of any text can break the judgement', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 200, max: 599 }), (body, httpStatus) => {
        for (const verdict of bothVerdicts(body, httpStatus)) expect(verdict).toMatch(outcomes);
      }),
    );
  });

  test.each([
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `${'{"data":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['messages', `{"status":"error","data":{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
    ['a cut start', '{"data":'.repeat(100_000)],
    ['an endless id', `{"status":"success","data":{"task_id":"${'x'.repeat(1_000_000)}`],
    ['open tags', '<'.repeat(1_000_000)],
    ['white space', `{"task_id"${' '.repeat(500_000)}`],
  ])('of great depth or length (%s) can break or stall the judgement', (_, body) => {
    for (const verdict of bothVerdicts(body))
      expect(verdict).toMatch(/^(uncertain|refused|poll-unanswered)$/);
    expect(bothVerdicts(body, 404)).toHaveLength(2);
  });

  test('can change what other objects inherit', () => {
    bothVerdicts(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"status":"success"}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
