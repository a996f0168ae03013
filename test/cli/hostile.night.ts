import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quickPauses } from './support/program.ts';
import { apiKey, bare, completed, errorEnvelope, failed, type Script } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

describe.concurrent('hostile ids', () => {
  const ids = [
    ...['../../x', '..', '.', 'CON', 'nul.txt', 'a/b', 'a\\b', 'a:b', '/etc/x', 'same', 'SAME', 'Same '],
    ...[
      'report.csv',
      'batch.sqlite',
      'simulator.jsonl',
      'x'.repeat(400),
      '编'.repeat(200),
      '-rf',
      '~',
      'a\nb',
      'e\u0301',
    ],
  ];

  it('write nothing outside the output folder, and get a folder each on every file system', async () => {
    await using stage = await openStage();
    await stage.write(
      'deep/er/q.jsonl',
      ids.map((id) => JSON.stringify({ id, question: `About ${id}` })).join('\n'),
    );
    const ending = await stage.batch(runLine('deep/er/q.jsonl', '--out', 'deep/er/videos'));
    expect(ending.code).toBe(0);
    const outside = (await stage.list('.')).filter((file) => !file.startsWith('deep/er/videos/'));
    expect(outside).toEqual(['deep/er/q.jsonl']);
    const videos = (await stage.list('deep/er/videos')).filter((file) => file.endsWith('/video.webm'));
    expect(new Set(videos.map((file) => file.toLowerCase())).size).toBe(ids.length);
    for (const file of videos) {
      expect(file.split('/')).toHaveLength(2);
      expect(Buffer.byteLength(file.split('/')[0] ?? '')).toBeLessThanOrEqual(80);
      expect(file).not.toMatch(/^(con|nul|\.|-|~)[./]/i);
    }
    const entries = (await stage.read('deep/er/videos/report.jsonl')).trim().split('\n');
    expect(entries.map((line) => JSON.parse(line).id)).toEqual(ids.map((id) => id.trim()));
  });
});

describe.concurrent('the API key and the signatures of links', () => {
  const echoes: Record<string, Script> = {
    refusals: { create: ({ question }) => errorEnvelope(`${question}: your key ${apiKey} is bad`) },
    'pages of errors': { create: () => bare(500, `<p>Authorization: Bearer ${apiKey}</p>`) },
    'a refused key': { create: () => errorEnvelope(`Unauthorized: Invalid API key ${apiKey}`, 401) },
    redirects: { create: () => bare(307, '', { location: `/${apiKey}?key=${apiKey}` }) },
    failures: { status: (task) => failed(task, `cannot bill ${apiKey} for ${task.link('x')}`) },
    'titles and details': {
      status: (task) =>
        completed(task, {
          title: `Made for ${apiKey}`,
          consumption: [{ type: 'score', value: 3, detail: `billed to ${encodeURIComponent(apiKey)}` }],
          created_at: `2026 ${apiKey}`,
        }),
    },
    states: {
      status: (task) => completed(task, { status: task.queries < 3 ? `WAIT ${apiKey}` : 'COMPLETED' }),
    },
    'polls without an answer': {
      status: (task) => (task.queries < 3 ? bare(502, `proxy said ${apiKey}`) : completed(task)),
    },
    'links that are refused': { file: () => bare(410, `gone, ${apiKey}`) },
  };

  it.for(Object.entries(echoes))(
    'are not in the output nor in any file, though the service echoes them in %s',
    async ([, script]) => {
      await using stage = await openStage(script);
      await stage.write('q.csv', questions('a', 'b'));
      const line = runLine('q.csv', '--verbose', '--frames', 'none');
      // A link that is refused is asked for again for ten minutes.
      const { stdout, stderr } = await stage.batch(line, quickPauses);
      expect(stage.service.creations.length).toBeGreaterThan(0);
      expect(stderr).not.toBe('');
      const files = (await stage.list('videos')).filter((file) => !/video\.webm$/.test(file));
      expect(files).toEqual(
        expect.arrayContaining(['batch.log', 'batch.sqlite', 'report.html', 'report.jsonl']),
      );
      const contents = await Promise.all(
        files.map((file) => readFile(join(stage.folder, 'videos', file), 'latin1')),
      );
      for (const text of [stdout, stderr, ...contents]) {
        expect(text).not.toContain(apiKey);
        expect(text).not.toContain('s3cret');
      }
    },
  );
});
