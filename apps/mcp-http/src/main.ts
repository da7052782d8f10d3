// The entry of the bundle.
export {};
