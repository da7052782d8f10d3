/** Other MCP servers, whose tools are lent to Gemini and offered to clients. */
export { nameTool } from './name-tool.ts';
