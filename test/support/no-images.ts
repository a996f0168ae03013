/** For runs whose rows have no images. */

import type { ImageFiles } from '../../src/ports.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('there are no images here'));

export const noImages: ImageFiles = { read: refuse, readKept: refuse };
