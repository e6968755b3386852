/** Facts that a code sample is filled with: address, key, model. */
export interface SampleFacts {
  /** Of the service, `/v1` included. */
  readonly baseUrl: string
  readonly key: string
  readonly model: string
}

/** Code sample to paste, and its tool: names that no language translates. */
export interface Sample {
  readonly name: string
  text(facts: SampleFacts): string
}

const rootOf = (baseUrl: string): string => baseUrl.replace(/\/v1$/, '')

/** Code samples, in the order of their tabs. */
export const samples: readonly Sample[] = [
  {
    name: 'curl',
    text: ({ baseUrl, key, model }) => `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "سلام"}]}'`,
  },
  {
    name: 'Python',
    text: ({ baseUrl, key, model }) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "سلام"}],
)
print(answer.choices[0].message.content)`,
  },
  {
    name: 'Node',
    text: ({ baseUrl, key, model }) => `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: "${key}" });
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "سلام" }],
});
console.log(answer.choices[0].message.content);`,
  },
  {
    name: 'Claude Code',
    text: ({ baseUrl, key, model }) => `export ANTHROPIC_BASE_URL=${rootOf(baseUrl)}
export ANTHROPIC_AUTH_TOKEN=${key}
export ANTHROPIC_MODEL=${model}
claude`,
  },
  {
    name: 'Codex',
    text: ({ baseUrl, key, model }) => `# ~/.codex/config.toml
model = "${model}"
model_provider = "chapar"

[model_providers.chapar]
name = "Chapar"
base_url = "${baseUrl}"
env_key = "CHAPAR_KEY"
wire_api = "responses"

# export CHAPAR_KEY=${key}`,
  },
  {
    name: 'Cursor',
    text: ({ baseUrl, key, model }) => `Cursor Settings > Models
Add model:                 ${model}
OpenAI API Key:            ${key}
Override OpenAI Base URL:  ${baseUrl}`,
  },
  {
    // docs.continue.dev, "OpenAI API compatible providers", November 2026.
    name: 'Continue',
    text: ({ baseUrl, key, model }) => `# ~/.continue/config.yaml
name: Chapar
version: 1.0.0
schema: v1
models:
  - name: ${model}
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}
    apiKey: ${key}`,
  },
  {
    // It takes keys of providers from its own settings or the environment, never from this file.
    name: 'Zed',
    text: ({ baseUrl, key, model }) => `// ~/.config/zed/settings.json
{
  "language_models": {
    "openai_compatible": {
      "Chapar": {
        "api_url": "${baseUrl}",
        "available_models": [{ "name": "${model}", "max_tokens": 128000 }]
      }
    }
  }
}
// export CHAPAR_API_KEY=${key}`,
  },
]
