import { Type, type Static } from '@sinclair/typebox'
import { maskPhone } from '../../../domain/phone'
import { sisterReturnPath, type SisterService } from '../sso'
import { checkTicket, findSister, removeSister, setSister } from '../sso-rules'
import { WrittenSecret } from '../../payments/operations/card-gateways'
import type { CommandForm } from '../../operations/command'
import { masked, removal } from '../../operations/connection'
import { orNull } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import type { KeptParts } from '../../operations/parts'

const SisterView = Type.Object({
  name: Type.String(),
  sign_in_url: Type.String(),
  has_secret: Type.Boolean(),
  /** What its tickets say as `aud`; null where the address of this service is not set. */
  audience: orNull(Type.String()),
  /** Where it sends browsers back. */
  return_to: orNull(Type.String()),
})
type Viewed = Static<typeof SisterView>

const publicUrlOf = ({ service }: KeptParts): string | null => service.services[0]?.url ?? null

function sisterView(parts: KeptParts, { name, signInUrl, secret }: SisterService): Viewed {
  const audience = publicUrlOf(parts)
  return {
    name,
    sign_in_url: signInUrl,
    has_secret: secret !== null,
    audience,
    return_to: audience === null ? null : `${audience}${sisterReturnPath}`,
  }
}

const shown = {
  object: 'sister_service',
  formerNames: masked,
  said({ name, sign_in_url, has_secret, audience, return_to }: Viewed) {
    const kept = [
      `${name}: ${sign_in_url}`,
      `secret: ${has_secret ? '•••' : 'forgotten with secret.key; set it again'}`,
    ]
    if (audience === null)
      return {
        stdout: kept,
        stderr: ['CHAPAR_URL is not set: until it is, nobody is offered to sign in so'],
      }
    return {
      stdout: [
        ...kept,
        `audience of its tickets: ${audience}`,
        `where it sends browsers back: ${return_to}#ticket=…`,
      ],
    }
  },
} as const

const set: CommandForm<Viewed> = {
  ...shown,
  words: 'sister set',
  about: 'set up the sister service, or change it',
  example:
    'sister set --name Barid --sign-in-url https://barid.example/chapar --secret-stdin < secret',
}

const show: CommandForm<Viewed> = {
  ...shown,
  words: 'sister show',
  about: 'show the sister service, without its secret',
  example: 'sister show',
}

const TicketView = Type.Object({ phone: Type.String(), expires: Type.String() })

const check: CommandForm<Static<typeof TicketView>> = {
  words: 'sister check',
  about: 'say which rule a ticket breaks, without using it up',
  example: 'sister check < ticket',
  object: 'ticket',
  said: ({ phone, expires }) => ({
    stdout: [`✓ signs in ${phone} until ${expires}, from the browser with its nonce`],
  }),
}

export const sisterOperations = [
  operation({
    name: 'sister.set',
    method: 'PUT',
    path: '/sister-service',
    role: 'owner',
    about:
      'Set up the service whose users sign in by a ticket; a secret that is left out stays as it is',
    body: {
      name: asOption(
        Type.Optional(Type.String({ maxLength: 100 })),
        'what people call it; its host unless said',
        { option: 'name <text>' },
      ),
      sign_in_url: asOption(
        Type.String({ minLength: 1, maxLength: 2000 }),
        'where a browser is sent for a ticket',
        { option: 'sign-in-url <url>' },
      ),
      secret: asOption(
        Type.Optional(WrittenSecret),
        'read the secret of tickets from standard input; kept sealed',
        { fromStdin: true },
      ),
    },
    result: SisterView,
    commands: [set],
    async run(parts, { body }) {
      const { name = null, sign_in_url: signInUrl, secret = null } = body
      return sisterView(parts, await setSister(parts.storage.sister, { name, signInUrl, secret }))
    },
  }),
  operation({
    name: 'sister.get',
    method: 'GET',
    path: '/sister-service',
    role: 'viewer',
    about: 'The service whose users sign in by a ticket, without its secret',
    result: SisterView,
    commands: [show],
    run: async (parts) => sisterView(parts, await findSister(parts.storage.sister)),
  }),
  operation({
    name: 'sister.check',
    method: 'POST',
    path: '/sister-service/ticket-checks',
    role: 'staff',
    about: 'Say which rule a ticket breaks, without using it up',
    body: {
      ticket: asOption(Type.String({ maxLength: 10_000 }), 'a JSON Web Token', {
        fromStdin: 'always',
      }),
    },
    result: TicketView,
    commands: [check],
    async run(parts, { body }) {
      const { storage, service } = parts
      const now = service.clock.now()
      const audience = publicUrlOf(parts)
      const { phone, expires } = await checkTicket(storage.sister, body.ticket, { audience, now })
      return { phone: maskPhone(phone), expires: new Date(expires).toISOString() }
    },
  }),
  removal({
    name: 'sister.remove',
    path: '/sister-service',
    does: 'Let nobody sign in by a ticket any more',
    words: 'sister remove',
    about: 'let nobody sign in by a ticket any more',
    object: 'sister_service',
    done: 'nobody signs in by a ticket any more; who is signed in stays so',
    remove: async ({ sister }) => await removeSister(sister),
  }),
] as const
