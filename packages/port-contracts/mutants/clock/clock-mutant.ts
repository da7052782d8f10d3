import type { Clock } from '@gemini-mcp/core';
import type { FakeClock } from '@gemini-mcp/core/testing';
import type { Mutant } from '../prove-mutants.ts';

export type ClockMutant = Mutant & { readonly mutate: (right: FakeClock) => Partial<Clock> };

export const neverAborted: AbortSignal = new AbortController().signal;
