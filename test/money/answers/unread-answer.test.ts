import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  answerIn,
  excerptOf,
  isUnread,
  likelyTask,
  linksIn,
  unreadFailure,
  withAnswer,
  withoutAnswer,
} from '../../../src/money/answers/unread-answer.ts';
import { createRedact } from '../../../src/text/redact.ts';
import { key } from '../replies.ts';

const redact = createRedact([key]);
const service = 'https://s.example/v1';

describe('of an answer that cannot be read', () => {
  it('an excerpt is kept in the failure, on one line and without what is secret or no text', () => {
    const failure = withAnswer('HTTP 200', `{"a":\n"x\u0000",\t"k":"${key}"}`, 100, redact);
    expect(failure).toBe('HTTP 200; answer: {"a": "x", "k":"[secret]"}');
    expect(answerIn(failure)).toBe('{"a": "x", "k":"[secret]"}');
    expect(withoutAnswer(failure)).toBe('HTTP 200');
  });

  it('nothing is kept where nothing came', () => {
    expect(withAnswer('HTTP 200', ' \n', 100, redact)).toBe('HTTP 200');
    expect(answerIn('HTTP 200')).toBeNull();
    expect(withoutAnswer('HTTP 200')).toBe('HTTP 200');
  });

  it('a long one is cut, and no half of a secret with it', () => {
    expect(excerptOf('x'.repeat(100), 10, redact)).toBe(`${'x'.repeat(9)}…`);
    for (const half of [1, 5, key.length - 1]) {
      const text = `${'x'.repeat(65_536 - half)}${key}`;
      expect(excerptOf(text, 100_000, redact)).not.toContain('s');
    }
  });

  it('the row that is given up for it is known', () => {
    expect(isUnread(unreadFailure('over', 'HTTP 200'))).toBe(true);
    expect(isUnread('over: HTTP 200')).toBe(false);
  });

  it('links are found as a browser takes them, each once', () => {
    const body =
      '{"v":"https:\\/\\/f.example\\/v.mp4?a=1\\u0026sig=2","w":"https://f.example/v.mp4?a=1&amp;sig=2" http://g.example/x';
    expect(linksIn(body, service)).toEqual(['https://f.example/v.mp4?a=1&sig=2', 'http://g.example/x']);
    expect(linksIn('nothing', service)).toEqual([]);
  });

  it.each([
    ['{"url":"/files/v?sig=1","n":"a/b","at":"2026-01-01T00:00:00.5Z"}', ['https://s.example/files/v?sig=1']],
    ['{"url":"cdn.example/v?sig=1"}', ['https://cdn.example/v?sig=1']],
    ['{"url":"videos/v.mp4"}', ['https://s.example/v1/videos/v.mp4']],
    ["{'url': '/files/v.mp4'}", ['https://s.example/files/v.mp4']],
    ['{"url":"https://f.example/a b.mp4"', ['https://f.example/a%20b.mp4', 'https://f.example/a']],
    ['{"url":"https://f.example/a\\nb.mp4"}', ['https://f.example/ab.mp4', 'https://f.example/a']],
    ['{"url":"https://f.example/cut', ['https://f.example/cut']],
    ['{"url":"http:\\\\\\\\f.example\\\\v.mp4"}', ['http://f.example/v.mp4']],
    ['{"url":"https://u:p@f.example/v"}', ['https://u:p@f.example/v']],
    ['{"url":"data:video/mp4;base64,AA+/=="}', ['data:video/mp4;base64,AA+/==']],
    ['{"url":"javascript:alert(1)","at":"https://"}', []],
    [
      '<video src=/v.mp4></video><a href="//f.example/w">',
      ['https://f.example/w', 'https://s.example/v.mp4'],
    ],
    ['See (https://f.example/v), url=https://g.example/w.', ['https://f.example/v', 'https://g.example/w']],
    ['视频：https://f.example/v。完成', ['https://f.example/v']],
    [
      '"https://f.example/v.mp4 is ready"',
      ['https://f.example/v.mp4%20is%20ready', 'https://f.example/v.mp4'],
    ],
  ])('every link in %j is found', (body, links) => {
    expect(linksIn(body, service)).toEqual(links);
  });

  it('a link is found wherever it stands in JSON, also twice wrapped and cut behind it', () => {
    const link = 'https://f.example/v.mp4?a=1&sig=2';
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.string(), (before, behind, name) => {
        const body = JSON.stringify([...before, { [name]: link }, behind]);
        expect(linksIn(body, service)).toContain(link);
        expect(linksIn(JSON.stringify(body), service)).toContain(link);
        expect(linksIn(body.slice(0, body.lastIndexOf(link) + link.length), service)).toContain(link);
      }),
    );
  });
});

test.each([
  ['{"success":true,"taskId":"abc"}', 'abc'],
  ['{"id": 7, "request_id":"r-1"}', '7'],
  ['{"task_id":"t-1","id":"other"}', 't-1'],
  ['ok task_id=t-1', 't-1'],
  ['created 5f0c1a2b-0000-4000-8000-123456789abc', '5f0c1a2b-0000-4000-8000-123456789abc'],
  ['{"task_id":"t-1","sub":{"task_id":"t-2"}}', null],
  ['{"id":"a1","video_id":"b2"}', null],
  ['{"id":null}', null],
  ['at 2026-01-01T00:00:00Z, code 200', null],
  ['abcdefg1 abcdefg2', null],
  ['', null],
])('the task that %j may name is %j', (answer, id) => {
  expect(likelyTask(answer)).toBe(id);
});
