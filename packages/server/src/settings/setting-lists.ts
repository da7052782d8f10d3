import { httpSettings } from './http-settings.ts';
import { serverSettings } from './server-settings.ts';
import type { Setting } from './setting.ts';

/** What every server has, in the order in which it is shown. */
export const serverSettingList: readonly Setting[] = Object.values(serverSettings);

/** What the HTTP server has in addition. */
export const httpSettingList: readonly Setting[] = Object.values(httpSettings);
