/** Why a test aborts. It is the same only where it is handed on as it is: a copy, or its text, is another. */
export const abortReason: unknown = Object.freeze({ why: 'the test aborted it' });
