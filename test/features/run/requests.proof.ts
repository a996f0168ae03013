import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { openStage, runLine, sample } from '../../cli/support/stage.ts';

/** The records of a CSV sample, read by other means than the program's. */
async function sampleRecords(name: string, encoding: string): Promise<Record<string, string>[]> {
  return parse(new TextDecoder(encoding).decode(await readFile(sample(name))), { columns: true });
}

describe.concurrent('what the service receives', () => {
  it('is the text of a CSV file to the last character, and nothing of the columns it does not know', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('questions.csv')));
    expect(ending.code).toBe(0);
    const records = await sampleRecords('questions.csv', 'utf-8');
    const bodies = new Map(stage.service.creations.map(({ body }) => [body.question, body]));
    expect(bodies.size).toBe(12);
    for (const { question = '', answer, quality } of records) {
      expect(bodies.get(question)).toEqual({
        question,
        ...(answer && { answer }),
        ...(quality && { quality }),
      });
    }
  });

  it('is the Chinese of a GB18030 file, rare characters and Windows line breaks in cells included', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('chinese-gb18030.csv')));
    expect(ending).toMatchObject({ code: 0, stderr: expect.stringMatching(/GB18030/i) });
    const records = await sampleRecords('chinese-gb18030.csv', 'gb18030');
    const sent = stage.service.creations.map(({ body }) => body);
    for (const { 题目: question, 答案: answer, 清晰度: quality } of records) {
      expect(sent).toContainEqual({ question, ...(answer && { answer }), ...(quality && { quality }) });
    }
  });

  it('is what the values of a JSONL file say', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('questions.jsonl')));
    expect(ending.code).toBe(0);
    const entries = (await readFile(sample('questions.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const bodies = new Map(stage.service.creations.map(({ body }) => [body.question, body]));
    expect(bodies.size).toBe(8);
    for (const { question, answer, quality } of entries) {
      const body = bodies.get(question);
      expect(body?.answer).toBe(answer == null ? undefined : String(answer));
      expect(body?.quality).toBe(quality);
    }
    const line = (await stage.read('videos/report.jsonl'))
      .split('\n')
      .find((each) => each.includes('"vectors"'));
    expect(JSON.parse(line ?? '')).toMatchObject({ input: { topic: 'vectors' } });
  });

  it('is the bytes of local images as base64, in their order, and an empty question where there is none', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('image-questions.csv')));
    expect(ending.code).toBe(0);
    const image = async (name: string) => (await readFile(sample(`images/${name}.png`))).toString('base64');
    const images = stage.service.creations.map(({ body }) => [body.question === '', body.questionImages]);
    expect(images).toEqual(
      expect.arrayContaining([
        [false, [await image('right-triangle')]],
        [false, [await image('circle-chord')]],
        [false, [await image('parabola'), await image('velocity-graph')]],
        [true, [await image('velocity-graph')]],
      ]),
    );
  });

  it('is the quality of the row, and that of the run for rows without one', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,quality\na,Question a,l\nb,Question b,\n');
    await stage.batch(runLine('q.csv', '--quality', 'h'));
    const asked = Object.fromEntries(
      stage.service.creations.map(({ question, body }) => [question, body.quality]),
    );
    expect(asked).toEqual({ 'Question a': 'l', 'Question b': 'h' });
    expect((await stage.report()).map((line) => line.quality)).toEqual(['l', 'h']);
  });
});
