import type { Container } from '../../src/money/inspection/inspection.ts';

/** What is found in a whole video without sound. */
export const soundContainer: Container = {
  seconds: 4.2,
  hasPicture: true,
  hasSound: false,
  width: 640,
  height: 360,
  isCut: false,
  gap: null,
};
