import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ms } from '../../src/domain/clock'
import { fieldsOf } from '../../src/gateway/json/fields'
import { vendorKinds, type VendorKind } from '../matrix/vendor-replies'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import type { StandIn } from '../support/stand-in'
import { cleanPlace, programOf, runCli, type CleanPlace, type CliRun } from './run-cli'
import { lastWords, openScriptedVendor, type Step } from './scripted-vendor'

const greeting = 'سلام chapar'
const everything = {
  from: 0 as Ms,
  to: 9e15 as Ms,
  most: 100,
  project: null,
  key: null,
  model: null,
  status: null,
}

interface Agent {
  readonly model: string
  steps(place: CleanPlace): readonly Step[]
  run(place: CleanPlace, chapar: TestGateway): Promise<CliRun>
  /** What it says at the end. */
  answerIn(stdout: string): unknown
}

/** @see https://docs.anthropic.com/en/docs/claude-code/llm-gateway */
const claude: Agent = {
  model: 'claude-like',
  steps: ({ work }) => [
    ['Write', { file_path: join(work, 'hello.txt'), content: `${greeting}\n` }],
    ['Bash', { command: 'cat hello.txt', description: 'Show the file' }],
  ],
  run: (place, chapar) =>
    runCli(
      [
        programOf('claude'),
        '-p',
        'Write a greeting into hello.txt and show it',
        '--model',
        'claude-like',
        '--output-format',
        'json',
        '--allowedTools',
        'Write,Bash',
        '--permission-mode',
        'acceptEdits',
      ],
      place,
      {
        ANTHROPIC_BASE_URL: chapar.url.replace(/\/v1$/, ''),
        ANTHROPIC_AUTH_TOKEN: chapar.key,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-like',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    ),
  answerIn: (stdout) => fieldsOf(JSON.parse(stdout))['result'],
}

const codex: Agent = {
  model: 'gpt-like',
  steps: () => [
    ['exec_command', { cmd: `printf '%s\\n' '${greeting}' > hello.txt` }],
    ['exec_command', { cmd: 'cat hello.txt' }],
  ],
  async run(place, chapar) {
    await Bun.write(
      join(place.home, '.codex', 'config.toml'),
      [
        'model = "gpt-like"',
        'model_provider = "chapar"',
        '[model_providers.chapar]',
        'name = "Chapar"',
        `base_url = "${chapar.url}"`,
        'env_key = "CHAPAR_KEY"',
        'wire_api = "responses"',
      ].join('\n'),
    )
    return runCli(
      [
        programOf('codex'),
        'exec',
        '--json',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        'Write a greeting and show it',
      ],
      place,
      { CODEX_HOME: join(place.home, '.codex'), CHAPAR_KEY: chapar.key },
    )
  },
  answerIn: (stdout) =>
    stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => fieldsOf(fieldsOf(JSON.parse(line))['item']))
      .findLast((item) => item['type'] === 'agent_message')?.['text'],
}

/** A gateway in front of a scripted vendor of one kind. */
async function openBefore(kind: VendorKind, vendor: StandIn, model: string): Promise<TestGateway> {
  return openTestGateway({
    prepare: addHubVendor({
      kind: kind === 'responses' ? 'openai' : kind,
      url: kind === 'google' ? vendor.url.replace('/v1', '/v1beta') : vendor.url,
      ...(kind === 'openai' ? { dialect: 'generic' as const } : {}),
      models: {
        [model]: { reasoning: true, ...(kind === 'responses' ? { chat: 'responses' } : {}) },
      },
    }),
  })
}

describe.each(Object.entries({ claude, codex }))('the coding agent %s', (_name, agent) => {
  test.each(vendorKinds)('does its task with tools at a vendor of the format %s', async (kind) => {
    using place = cleanPlace()
    const vendor = openScriptedVendor(kind, agent.steps(place))
    const chapar = await openBefore(kind, vendor, agent.model)
    try {
      const { code, stdout, stderr } = await agent.run(place, chapar)
      expect({ code, stderr, stdout }).toMatchObject({ code: 0 })
      expect(agent.answerIn(stdout)).toBe(lastWords)
      expect(readFileSync(join(place.work, 'hello.txt'), 'utf8')).toBe(`${greeting}\n`)
      // What the second tool showed came back to the model.
      expect(JSON.stringify(vendor.seen.at(-1)?.body)).toContain(greeting)
      const { held, slots } = await chapar.rest()
      expect({ held, slots }).toEqual({ held: 0, slots: 0 })
      expect((await chapar.audit()).differences).toEqual([])
      const calls = await chapar.storage.reports.calls({ ...everything, account: chapar.account })
      expect(calls.filter(({ status }) => status !== 'success')).toEqual([])
      expect(calls.length).toBeGreaterThanOrEqual(3)
    } finally {
      await chapar.close()
      await vendor.close()
    }
  })
})
