/** Why a test aborts. Must be passed on as the same object: a copy, or its text, is another reason. */
export const abortReason: unknown = Object.freeze({ why: 'the test aborted it' });
