import { httpSettingList, type Setting, serverSettingList } from '@gemini-mcp/server';

/** Everything that can be set for the HTTP server, its own settings first. */
export const everySetting: readonly Setting[] = [...httpSettingList, ...serverSettingList];
