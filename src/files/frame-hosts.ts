/**
 * The circuit breaker for frame hosts: a host that fails frame after frame is asked rarely, by one frame at a time, so
 * that frames never delay videos. Pure: time is an argument, in steady ms (`Clock.steady`).
 */

import { fixed } from '../money/policy.ts';

/** The recent record of a host. */
export interface FrameHost {
  /** Frames in a row that could not be fetched. */
  readonly failures: number;
  /** When the last of them was given up. */
  readonly failedAt: number;
  /** While the host fails, it is not asked before this time. */
  readonly askAt: number;
}

/** A host with no failures. */
export const wellHost: FrameHost = { failures: 0, failedAt: 0, askAt: 0 };

/** True where a frame may be requested. */
export function mayAskHost(host: FrameHost, now: number): boolean {
  return !isFailing(host) || now >= host.askAt;
}

/** The host while a frame is being fetched from it; while it fails, no other frame is requested. */
export function noteHostAsked(host: FrameHost, now: number): FrameHost {
  return isFailing(host) ? { ...host, askAt: now + pauseMs(host.failures) } : host;
}

/** The host after a frame was fetched or failed. Frames in flight when the breaker opened do not count again. */
export function noteHostEnd(
  host: FrameHost,
  end: { readonly isHad: boolean; readonly askedAt: number; readonly now: number },
): FrameHost {
  if (end.isHad) return wellHost;
  if (isFailing(host) && end.askedAt < host.failedAt) return host;
  const failures = host.failures + 1;
  return { failures, failedAt: end.now, askAt: end.now + pauseMs(failures) };
}

function isFailing({ failures }: FrameHost): boolean {
  return failures >= fixed.frameHostFailures;
}

function pauseMs(failures: number): number {
  const grown = fixed.frameHostPauseMs * 2 ** Math.max(0, failures - fixed.frameHostFailures);
  return Math.min(grown, fixed.frameHostPauseMaxMs);
}
