import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cleanPlace, runCli, type CleanPlace, type CliRun } from '../coding-clis/run-cli'
import { isLong } from '../support/campaigns'
import { conversation, expectCharged, oneCallEach, picture } from './play'
import { openService, toolPath, type Service } from './service'
import { modelIds, type ModelId } from './vendors'

/* Agents that are too large for every run: a run of all tests without `--long` counts them as skipped. */

let chapar: Service
beforeAll(async () => void (chapar = await openService()))
afterAll(() => chapar.close())

interface Agent {
  readonly program: string
  /** The tool that it is made to call; null where it has none. */
  readonly tool: string | null
  turn(place: CleanPlace, model: ModelId, question: string, isFirst: boolean): Promise<CliRun>
}

const opencode: Agent = {
  program: toolPath('long/node_modules/.bin/opencode'),
  tool: 'bash',
  async turn(place, model, question, isFirst) {
    const known = { attachment: true, reasoning: true, tool_call: true }
    const modalities = { input: ['text', 'image'], output: ['text'] }
    const limit = { context: 400_000, output: 32_000 }
    const config = {
      model: `chapar/${model}`,
      small_model: `chapar/${model}`,
      permission: { bash: 'allow', read: 'allow' },
      provider: {
        chapar: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Chapar',
          options: { baseURL: chapar.url, apiKey: chapar.key },
          models: Object.fromEntries(
            modelIds.map((id) => [id, { name: id, ...known, modalities, limit }]),
          ),
        },
      },
    }
    await Bun.write(join(place.work, 'opencode.json'), JSON.stringify(config))
    const seen = isFirst ? ['--file', join(place.work, 'seen.png')] : ['--continue']
    return await runCli(
      [this.program, 'run', '--model', `chapar/${model}`, question, ...seen],
      place,
      { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    )
  },
}

const aider: Agent = {
  program: toolPath('.venv-aider/bin/aider'),
  tool: null,
  async turn(place, model, question) {
    const known = { supports_vision: true, max_input_tokens: 400_000, mode: 'chat' }
    await Bun.write(
      join(place.home, 'models.json'),
      JSON.stringify(Object.fromEntries(modelIds.map((id) => [`openai/${id}`, known]))),
    )
    const quiet = ['--no-git', '--no-check-update', '--no-show-model-warnings', '--no-analytics']
    return await runCli(
      [
        this.program,
        '--yes-always',
        ...quiet,
        '--no-pretty',
        '--restore-chat-history',
        '--model-metadata-file',
        join(place.home, 'models.json'),
        '--reasoning-effort',
        'high',
        '--model',
        `openai/${model}`,
        '--weak-model',
        `openai/${model}`,
        '--message',
        question,
        'seen.png',
      ],
      place,
      {
        OPENAI_API_BASE: chapar.url,
        OPENAI_API_KEY: chapar.key,
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      },
    )
  },
}

test.skipIf(!isLong).each(Object.entries({ opencode, aider }))(
  '%s talks ten turns over vendors that change',
  async (_, agent) => {
    expect(existsSync(agent.program)).toBe(true)
    using place = cleanPlace()
    await Bun.write(join(place.work, 'seen.png'), Buffer.from(picture, 'base64'))
    const { vendors } = chapar
    const { tool } = agent
    vendors.play(
      oneCallEach(tool ?? 'none', (question) => ({
        command: `printf 'Result %s.' ${question}`,
        description: 'Look',
      })),
    )
    const before = vendors.answered.length
    for (const [at, { model, question }] of conversation().entries()) {
      const { code, stdout, stderr } = await agent.turn(place, model, question, at === 0)
      const refused = vendors.refused.splice(0)
      expect({ at, model, code, refused, stderr, stdout }).toMatchObject({ code: 0, refused: [] })
      expect(stdout).toContain(`Turn ${at + 1} done.`)
    }
    const answered = vendors.answered.slice(before)
    expect(new Set(answered.map(({ model }) => model)).size).toBe(7)
    if (tool !== null) expect(answered.filter(({ called }) => called).length).toBe(10)
    expect(answered.some(({ pictures }) => pictures.length > 0)).toBe(true)
    await expectCharged(chapar)
  },
)
