/** The arguments of a call: all of them as JSON, or how one would recognise them. */
export type AuditedArguments =
  | { readonly json: string }
  /** Of the JSON. `bytes` is its length in UTF-8. */
  | { readonly sha256: string; readonly bytes: number };

/** What a run of gemini_agent did. Texts are as Gemini wrote them, without secrets. */
export type AuditedWork = {
  /** The id for undoing the run. */
  readonly run: string;
  readonly mode: string;
  /** Null if the changes could not be determined. */
  readonly changed: readonly { readonly path: string; readonly kind: string; readonly diffSha256: string }[] | null;
  readonly commands: readonly { readonly command: string; readonly end: string; readonly durationMs: number }[];
  /** Calls of other servers' tools. */
  readonly calls: readonly {
    readonly server: string;
    readonly tool: string;
    readonly arguments: AuditedArguments;
    /** `done`, or the error. */
    readonly outcome: string;
    readonly durationMs: number;
  }[];
  readonly refused: readonly { readonly tool: string; readonly subject: string; readonly code: string }[];
  /** Questions to the user of the run, and approvals of that user that were used. `answer` is the answer, or why there was no answer. */
  readonly asked: readonly { readonly about: string; readonly reason: string; readonly answer: string }[];
  /** How many commands, calls and refusals there were beyond the listed ones. */
  readonly unlisted: number;
};

/** A call of a tool that has ended, or the end of the job that it went on as. */
export type AuditEntry = {
  /** When it ended. */
  readonly atMs: number;
  /** `answered`, `done`, `failed`, the kind of a failure, or the reason of a refusal; `went-on` for a call whose work goes on as a job. */
  readonly outcome: string;
  readonly durationMs: number;
  /** The handle of the job, if the call started or asked about one, or if it is the job that ended. */
  readonly job: string | null;
  /** Set for a run of gemini_agent. */
  readonly work: AuditedWork | null;
} & (
  | {
      readonly type: 'call';
      readonly owner: string;
      /** The name that the client gave itself, unverified; null if unknown. */
      readonly client: string | null;
      /** The user's other server whose tool was called; null for our own tools. */
      readonly server: string | null;
      readonly tool: string;
      readonly arguments: AuditedArguments;
    }
  | { readonly type: 'job' }
);

/**
 * Keeps who had what done, for those who must account for it. An audit log never fails and never delays a call:
 *
 * - `record` returns at once and does not throw. An entry that cannot be kept is lost, and the log reports that to its operator.
 * - `close` resolves when all recorded entries are kept or lost. Never rejects.
 */
export interface AuditLog {
  record(entry: AuditEntry): void;
  close(): Promise<void>;
}
