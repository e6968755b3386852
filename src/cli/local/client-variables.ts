/**
 * Environment variables that clients of either format read; those of the Messages format add the version
 * themselves, and Codex reads a key of its own first.
 * @param url of the gateway, without its version @param key null for none
 */
export const clientVariables = (
  url: string,
  key: string | null,
): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `${url}/v1`,
  ...(key === null ? {} : { OPENAI_API_KEY: key, CODEX_API_KEY: key }),
  ANTHROPIC_BASE_URL: url,
  ...(key === null ? {} : { ANTHROPIC_AUTH_TOKEN: key }),
})
