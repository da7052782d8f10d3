/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */

export { findRealPath } from './disk/pin-paths.ts';
export { ensurePrivateDirectory } from './disk/private-directory.ts';
export { detectAuthType } from './gemini-cli/environment/cli-login.ts';
export { addUserEnvironment } from './gemini-cli/environment/user-environment.ts';
export { EventQueue } from './gemini-cli/event-queue.ts';
export type { AuthType } from './gemini-cli/settings/cli-settings.ts';
export { containCommand } from './processes/contained-command.ts';
export {
  ContainedServerProcesses,
  type ContainedServerProcessesOptions,
} from './processes/contained-server-processes.ts';
export { type OpenBrowserOptions, openBrowser } from './processes/open-browser.ts';
export { isWithin } from './processes/path-containment.ts';
export { carriedVariables } from './processes/programs/child-environment.ts';
export { findSystemProgram } from './processes/programs/find-system-program.ts';
export { describePathFault } from './processes/programs/path-fault.ts';
export { ProgramPath } from './processes/programs/program-path.ts';
export { ProgramTrust } from './processes/programs/program-trust.ts';
export { type ProgramEnd, type ProgramRun, runProgram } from './processes/run-program.ts';
export { describeShortage } from './processes/system-shortage.ts';
export { type EditedTextFile, type EditTextFileOptions, editTextFile } from './storage/edit-text-file.ts';
export { KeychainSealer, type KeychainSealerOptions } from './storage/keychain-sealer.ts';
export {
  type LoginFileRead,
  loginFilePath,
  readLoginFile,
  removeLoginFile,
  type StoredLogin,
  writeLoginFile,
} from './storage/login-file.ts';
export {
  readSecretFile,
  type SecretFileRead,
  type SettingsText,
  SettingsTextFile,
  type SettingsWriter,
} from './storage/settings-text.ts';
export { GuardedLook } from './workspace/commands/protect/guarded-look.ts';
export { releaseRecorded } from './workspace/commands/protect/held-record.ts';
export { findCommandSandbox } from './workspace/commands/sandbox/find-sandbox.ts';
export type { ChangeJournal, ExpectedState, JournalEntry, PathState } from './workspace/journal/file-state.ts';
