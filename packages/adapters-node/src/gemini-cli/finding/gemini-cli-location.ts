import type { Command } from '../../process/contained-command.ts';
import type { PathFault } from '../../programs/path-fault.ts';
import type { PassedOver } from '../../programs/program-path.ts';

/** A Gemini CLI that was found, ready to be started. */
export type GeminiCli = {
  /** The command without flags: the executable, or this Node with the package's entry. */
  readonly command: Command;
  /** Where it really lies, links resolved. */
  readonly path: string;
  /** Null where no package.json of it could be found. */
  readonly version: string | null;
  /** `node` means next to the Node that runs this program, `usual-place` where a package or version manager puts it. */
  readonly foundBy: 'GEMINI_MCP_CLI' | 'PATH' | 'node' | 'usual-place' | 'npx';
};

export type GeminiCliLocation =
  | {
      readonly found: true;
      readonly cli: GeminiCli;
      /** Those that were looked at before it. */
      readonly passedOver: readonly PassedOver[];
      /** The directories outside PATH that were looked into, in their order; none where PATH or a setting led to it. */
      readonly lookedIn: readonly string[];
      /** Why it would not have been taken from PATH; null for any that was not named by an absolute path. */
      readonly fault: PathFault | null;
    }
  | {
      readonly found: false;
      /** Says, in our words, which places were looked at and what was passed over, or which resource of the system is used up. */
      readonly detail: string;
      readonly passedOver: readonly PassedOver[];
      readonly lookedIn: readonly string[];
      readonly isShortage?: true;
      /** npx was not asked for it, because no login is known that it could use. */
      readonly lacksLogin?: true;
    };
