// Set up by vitest where `GEMINI_MCP_PROPERTY_SEED` is set: properties run with the values with which one of them failed.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.GEMINI_MCP_PROPERTY_SEED) });
