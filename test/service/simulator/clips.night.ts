import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClips } from '../../../src/service/simulator/clips.ts';
import { openFolder } from './rehearsal.ts';

const lacksProbe = spawnSync('ffprobe', ['-version']).status !== 0;

test.skipIf(lacksProbe)('a clip of a question plays for four seconds (needs ffprobe)', async () => {
  await using clips = openClips();
  await using folder = await openFolder();
  const file = join(folder.path, 'clip.webm');
  await writeFile(
    file,
    await clips.bytesOf({
      kind: 'video',
      text: 'Why does a heavy ball fall as fast as a light one? '.repeat(200),
    }),
  );
  const options =
    '-v error -count_frames -of csv=p=0 -show_entries stream=width,height,nb_read_frames:format=duration';
  const { stdout, stderr } = spawnSync('ffprobe', [...options.split(' '), file], { encoding: 'utf8' });
  expect([stdout.trim().split('\n'), stderr]).toEqual([['960,540,2', '4.000000'], '']);
});
