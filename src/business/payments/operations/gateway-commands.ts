import type { Static } from '@sinclair/typebox'
import { gatewayKinds } from '../../../domain/payment'
import { gatewayFacts } from '../gateway-kinds'
import { cell, type CommandForm } from '../../operations/command'
import { masked } from '../../operations/connection'
import type { CardGatewayView, GatewayTrialView } from './gateway-view'

type Viewed = Static<typeof CardGatewayView>

const which = {
  name: 'name',
  about: 'name of the gateway',
  as: 'place',
  kind: 'text',
} as const

const oneGateway = { params: { name: which }, object: 'card_gateway' }

const list: CommandForm<{ readonly data: readonly Viewed[] }> = {
  words: 'gateway list',
  about: 'list gateways, without their secrets',
  example: 'gateway list',
  object: 'card_gateway',
  formerNames: masked,
  list: {
    pages: null,
    columns: ['name', 'kind', 'paid_in', 'options', 'secret'],
    heading: ['NAME', 'KIND', 'PAID IN', 'OPTIONS', 'SECRET'],
    cells: (each) => [
      each.name,
      each.kind,
      each.paid_in,
      Object.entries(each.options)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ') || '–',
      cell.some(masked(each).secret),
    ],
  },
}

const show: CommandForm<Viewed> = {
  ...oneGateway,
  words: 'gateway show',
  about: 'show a gateway, without its secret',
  example: 'gateway show main',
  formerNames: masked,
  said(gateway) {
    const { has_secret: _, ...fields } = gateway
    return { fields: { ...fields, ...masked(gateway) }, stdout: [] }
  },
}

const kindLines = (): string =>
  gatewayKinds
    .map((kind) => {
      const { options, secrets } = gatewayFacts[kind]
      const lines = secrets.map(({ about, optional }) => (optional ? `[${about}]` : about))
      const names = Object.entries(options).map(
        ([name, { about, preset }]) =>
          `    [${name}]  ${about}${preset === undefined || preset === '' ? '' : `; ${preset}`}`,
      )
      return [`  ${kind}`, `    secret: ${lines.join(', next line: ')}`, ...names].join('\n')
    })
    .join('\n')

const set: CommandForm<Viewed> = {
  ...oneGateway,
  words: 'gateway set',
  about: 'add or change a gateway; what is not said stays as it is',
  example: 'gateway set main --kind zarinpal --secret-stdin < merchant-id',
  params: { name: { ...which, about: 'a name for it' } },
  helpEnd: `Options and secrets by kind:\n${kindLines()}`,
  formerNames: masked,
  said: ({ name, kind }) => ({
    stdout: [`gateway ${name} (${kind}); try it: chapar gateway test ${name}`],
  }),
}

const remove: CommandForm<{ readonly removed: string }> = {
  ...oneGateway,
  words: 'gateway remove',
  about: 'remove a gateway',
  example: 'gateway remove main',
  formerNames: ({ removed }) => ({ name: removed, deleted: true }),
  said: ({ removed }) => ({ stdout: [`gateway ${removed} removed`] }),
}

const faultLines = `Codes that gateways refuse by:
  zarinpal  -9 address of return or amount, -10 merchant or address of this machine, -11 inactive,
            -12 too many tries, -14 and -18 domain of the address of return, -15 suspended
  zibal     102 no such merchant, 103 inactive, 104 invalid, 105 amount, 106 address of return
  stripe    api_key_expired, invalid_request_error, …
  all       no_answer: nothing came back within ten seconds, or a page of HTML`

const test: CommandForm<Static<typeof GatewayTrialView>> = {
  ...oneGateway,
  words: 'gateway test',
  about: 'open the smallest payment at a gateway, and print its page; nobody needs to pay it',
  example: 'gateway test main',
  helpEnd: faultLines,
  object: 'card_gateway.test',
  formerNames: () => ({ ok: true }),
  said: ({ name, origin, page }) => ({
    stdout: [`✓ ${name} opened a payment that comes back to ${origin}:`, page],
  }),
}

/** Commands of operations on card gateways. */
export const gatewayCommands = { list, show, set, remove, test }
