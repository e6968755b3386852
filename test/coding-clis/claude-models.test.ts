import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf } from '../../src/gateway/json/fields'
import { addModel, openTestGateway } from '../support/gateway'
import { openStandIn, replies } from '../support/stand-in'
import { cleanPlace, programOf, runCli } from './run-cli'

const lastWords = 'All done.'
const looks = 4000

/** Also of another vendor's model, which only an alias makes one of those that it keeps. */
test('claude finds a model by its alias among a thousand, and is answered by it', async () => {
  using place = cleanPlace()
  const found = join(place.home, '.claude', 'cache', 'gateway-models.json')
  // It looks for models beside its first call, and ends with that call's answer.
  const vendor = openStandIn(async (...asked) => {
    for (let n = 0; n < looks && !existsSync(found); n++) await Bun.sleep(5)
    return replies(lastWords)(...asked)
  })
  const chapar = await openTestGateway({
    vendorUrl: vendor.url,
    async prepare(storage) {
      for (let n = 0; n < 999; n++) await addModel(storage, `model-${n}`, ['standin'])
      await storage.catalogue.saveAlias({ id: 'claude-priced', model: 'priced', listed: true })
    },
  })
  try {
    const run = await runCli(
      [programOf('claude'), '-p', 'hi', '--model', 'claude-priced', '--output-format', 'json'],
      place,
      {
        ANTHROPIC_BASE_URL: chapar.url.replace(/\/v1$/, ''),
        ANTHROPIC_AUTH_TOKEN: chapar.key,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-priced',
        CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    )
    expect(run).toMatchObject({ code: 0 })
    expect(fieldsOf(JSON.parse(run.stdout))['result']).toBe(lastWords)
    expect(JSON.parse(readFileSync(found, 'utf8'))).toMatchObject({
      models: [{ id: 'claude-priced', display_name: 'priced' }],
    })
  } finally {
    await chapar.close()
    await vendor.close()
  }
})
