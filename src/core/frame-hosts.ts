/**
 * The circuit breaker before the hosts of frames: one that fails for one frame after the other is asked rarely, by one frame at a
 * time, so that pictures on the way to a video never hold the videos up. Pure: time comes in, as steady ms (`Clock.steady`).
 */

import { fixed } from './policy.ts';

/** How a host has done lately. */
export interface FrameHost {
  /** Frames in a row that could not be had. */
  readonly failures: number;
  /** When the last of them was given up. */
  readonly failedAt: number;
  /** Not asked before, while it fails. */
  readonly askAt: number;
}

/** A host of which nothing bad is known. */
export const wellHost: FrameHost = { failures: 0, failedAt: 0, askAt: 0 };

/** True where a frame may be asked for. */
export function mayAskHost(host: FrameHost, now: number): boolean {
  return !isFailing(host) || now >= host.askAt;
}

/** The host while a frame is on its way from it: of one that fails nobody else asks for another meanwhile. */
export function noteHostAsked(host: FrameHost, now: number): FrameHost {
  return isFailing(host) ? { ...host, askAt: now + pauseMs(host.failures) } : host;
}

/** The host after a frame has come from it, or has not. Those that were on their way with the one that broke it count once. */
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
