import { httpSettings } from './http-settings.ts';
import { serverSettings } from './server-settings.ts';
import type { Setting } from './setting.ts';

/** The settings of every server, in the order in which they are shown. */
export const serverSettingList: readonly Setting[] = Object.values(serverSettings);

/** The additional settings of the HTTP server. */
export const httpSettingList: readonly Setting[] = Object.values(httpSettings);
