/** Videos that arrive whole and are still not what they should be, to rehearse what looks for such videos. */

import type { Clips } from './clips.ts';
import { seededRandom } from './seeded-random.ts';

/** Makes the damaged video of a task: a share of the right one, far too short, or that of some other question. */
type Damage = (clips: Clips, text: string) => Promise<Uint8Array>;

const cutOffShare = 0.6;
const shortSeconds = 0.2;

const damages: readonly Damage[] = [
  async (clips, text) => {
    const bytes = await clips.bytesOf({ kind: 'video', text });
    return bytes.subarray(0, Math.round(bytes.length * cutOffShare));
  },
  (clips, text) => clips.bytesOf({ kind: 'video', text, seconds: shortSeconds }),
  (clips) => clips.bytesOf({ kind: 'video', text: 'Another question' }),
];

/** The damaged video of the task of this lot, always damaged in the same way. */
export function damagedVideo(clips: Clips, text: string, lot: string): Promise<Uint8Array> {
  const at = Math.floor(seededRandom(0, 'damage', lot) * damages.length);
  const damage = damages[at] as Damage;
  return damage(clips, text);
}
