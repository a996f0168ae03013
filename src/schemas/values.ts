/** Values that several outputs have. A field says its unit, and when it is null or absent. */

import * as z from 'zod';
import { qualities, statuses } from '../money/item.ts';

export const count = z.int().min(0);
/** Attempts and rows count from 1. */
export const ordinal = z.int().min(1);
export const status = z.enum(statuses);
export const quality = z.enum(qualities);
export const byStatus = z.record(status, count);
/** ISO 8601, UTC. */
export const time = z.string().regex(/^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const text = z.string();
export const truth = z.boolean();

export const listOf = <T extends z.ZodType>(of: T): z.ZodReadonly<z.ZodArray<T>> => z.array(of).readonly();
