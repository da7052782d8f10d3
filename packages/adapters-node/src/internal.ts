/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */
export { findCommandSandbox } from './executor/commands/sandbox/find-command-sandbox.ts';
export type { ChangeJournal, ExpectedState, JournalEntry, PathState } from './executor/journal/change-journal.ts';
export { carriedVariables } from './gemini-cli/environment/child-environment.ts';
export { detectAuthType } from './gemini-cli/environment/cli-login.ts';
export { addUserEnvironment } from './gemini-cli/environment/user-environment.ts';
export type { AuthType } from './gemini-cli/settings/cli-settings.ts';
export { ContainedServerProcesses, type ContainedServerProcessesOptions } from './hub/contained-server-processes.ts';
export { type EditedTextFile, type EditTextFileOptions, editTextFile } from './hub/edit-text-file.ts';
export { FileCredentialStore, type FileCredentialStoreOptions } from './hub/file-credential-store.ts';
export { FileKeptLists } from './hub/file-kept-lists.ts';
export { FileKeptPins } from './hub/file-kept-pins.ts';
export { FileProjectApprovals, type ProjectSettings } from './hub/file-project-approvals.ts';
export { type OpenBrowserOptions, openBrowser } from './hub/open-browser.ts';
export { readSecretFile, type SecretFileRead } from './hub/read-secret-file.ts';
export { type SettingsText, SettingsTextFile, type SettingsWriter } from './hub/settings-text.ts';
export { ensurePrivateDirectory } from './process/private-directory.ts';
export { describePathFault } from './programs/describe-path-fault.ts';
export { findSystemProgram } from './programs/find-system-program.ts';
