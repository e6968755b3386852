import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { fieldsOf } from '../../src/gateway/json/fields'
import type { Said } from '../matrix/scenarios'
import { vendorKinds, vendorReplies, type VendorKind } from '../matrix/vendor-replies'
import { openTestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { compactionItem, responseStream } from '../support/responses-stand-in'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'
import { cleanPlace, programOf, runCli } from './run-cli'

const summary = 'They said hi.'
const vendorSealed = 'gAAAAvendor'
const tokenCounts =
  /"(prompt_tokens|input_tokens|total_tokens|promptTokenCount|totalTokenCount)":\d+/g

/** A vendor whose every answer says that the prompt was far beyond what the agent keeps. */
function openFullVendor(kind: VendorKind): StandIn {
  const { events, whole, streams } = vendorReplies[kind]
  const full = (text: string) => text.replaceAll(tokenCounts, '"$1":400000')
  return openStandIn((seen) => {
    const asked = JSON.stringify(seen.body)
    if (asked.includes('"compaction_trigger"'))
      return streamReply(responseStream([compactionItem(vendorSealed)]))
    const text = asked.includes('Write a summary of the conversation') ? summary : 'All done.'
    const says: Said = { text, reasoning: '', calls: [], finish: 'stop' }
    const scenario = { name: 'a turn', question: { text: '' }, says }
    return streams(seen)
      ? streamReply(events(scenario).map(full))
      : Response.json(JSON.parse(full(JSON.stringify(whole(scenario)))))
  })
}

test.each(vendorKinds)(
  'codex with its own provider asks once for a WebSocket and goes on past its limit at a vendor of the format %s',
  async (kind) => {
    using place = cleanPlace()
    const vendor = openFullVendor(kind)
    const chapar = await openTestGateway({
      prepare: addHubVendor({
        kind: kind === 'responses' ? 'openai' : kind,
        url: kind === 'google' ? vendor.url.replace('/v1', '/v1beta') : vendor.url,
        ...(kind === 'openai' ? { dialect: 'generic' as const } : {}),
        models: { 'gpt-like': { reasoning: true } },
      }),
    })
    using refused = spyOn(chapar.gateway.parts.observer, 'refused')
    const home = join(place.home, '.codex')
    await Bun.write(
      join(home, 'config.toml'),
      [
        'model = "gpt-like"',
        `openai_base_url = "${chapar.url}"`,
        'model_auto_compact_token_limit = 1000',
      ].join('\n'),
    )
    await Bun.write(join(home, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: chapar.key }))
    const exec = (...words: readonly string[]) =>
      runCli([programOf('codex'), 'exec', '--json', '--skip-git-repo-check', ...words], place, {
        CODEX_HOME: home,
      })
    try {
      for (const words of [['hi'], ['resume', '--last', 'again']]) {
        const { code, stdout, stderr } = await exec(...words)
        expect({ code, stderr, stdout }).toMatchObject({ code: 0 })
        expect(stdout).toContain('All done.')
        expect(stdout + stderr).not.toMatch(/Reconnecting|compact task/)
      }
      // Each start: one attempt at a socket, and nothing else that is refused.
      expect(refused.mock.calls.map(([{ error }]) => error.code)).toEqual([
        'upgrade_not_offered',
        'upgrade_not_offered',
      ])
      // Asked, compacted, asked again: with what the conversation has become.
      expect(vendor.seen.length).toBe(3)
      const last = JSON.stringify(fieldsOf(vendor.seen.at(-1)?.body))
      expect(last).toContain(kind === 'responses' ? vendorSealed : summary)
      const { held, slots } = await chapar.rest()
      expect({ held, slots }).toEqual({ held: 0, slots: 0 })
      expect((await chapar.audit()).differences).toEqual([])
    } finally {
      await chapar.close()
      await vendor.close()
    }
  },
)
