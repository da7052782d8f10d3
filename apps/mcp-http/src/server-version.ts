/** The version in this package's manifest. */
export const serverVersion = '1.0.0';
