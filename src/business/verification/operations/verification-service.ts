import { Type, type Static } from '@sinclair/typebox'
import { checkerPreset, type CheckerConfig } from '../checker'
import { findChecker, removeChecker, setChecker } from '../rules'
import { WrittenSecret } from '../../payments/operations/card-gateways'
import type { CommandForm } from '../../operations/command'
import { masked, removal } from '../../operations/connection'
import { orNull } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

const Text = Type.String({ minLength: 1, maxLength: 4000 })

const CheckerView = Type.Object({
  url: Type.String(),
  body: Type.String(),
  pointer: Type.String(),
  header: Type.String(),
  has_secret: Type.Boolean(),
})
type Viewed = Static<typeof CheckerView>

const checkerView = ({ secret, ...checker }: CheckerConfig): Viewed => ({
  ...checker,
  has_secret: secret !== null,
})

const Found = Type.Object({ service: orNull(CheckerView) })

const set: CommandForm<Viewed> = {
  words: 'verification set',
  about: 'have a service decide: it is asked once for each request',
  example:
    'verification set --url https://check.example/shahkar --pointer /data --secret-stdin < secret',
  object: 'verification_checker',
  formerNames: masked,
  said: ({ url, pointer }) => ({
    stdout: [`${url} decides from now on, by ${pointer} of its answer`],
  }),
}

const show: CommandForm<Static<typeof Found>> = {
  words: 'verification service',
  about: 'show the service that decides, without its secret',
  example: 'verification service',
  object: 'verification_checker',
  subject: ({ service }) => service,
  formerNames: masked,
  said({ service }) {
    if (service === null) return { stdout: ['people decide: chapar verification list'] }
    const { has_secret: _, ...fields } = service
    return { fields: { ...fields, ...masked(service) }, stdout: [] }
  },
}

export const checkerOperations = [
  operation({
    name: 'checker.set',
    method: 'PUT',
    path: '/verification-service',
    role: 'owner',
    about: 'Have a service verify account holders; a secret that is left out stays as it is',
    body: {
      url: asOption(Text, 'address that is posted to', { option: 'url <url>' }),
      body: asOption(
        Type.Optional(Text),
        `JSON with {national_code}, {mobile}, {first_name}, {last_name}, {birth_date} in it (${checkerPreset.body})`,
        { option: 'body <json>' },
      ),
      pointer: asOption(
        Type.Optional(Type.String({ maxLength: 4000 })),
        `where the answer’s true or false stands (${checkerPreset.pointer})`,
        { option: 'pointer <pointer>' },
      ),
      header: asOption(
        Type.Optional(Text),
        `header that the secret goes in (${checkerPreset.header})`,
        { option: 'header <name>' },
      ),
      secret: asOption(
        Type.Optional(WrittenSecret),
        'read the secret there from standard input; kept sealed',
        { fromStdin: true },
      ),
    },
    result: CheckerView,
    commands: [set],
    async run({ storage }, { body: wanted }) {
      const { url, body = null, pointer = null, header = null, secret = null } = wanted
      const change = { url, body, pointer, header, secret }
      return checkerView(await setChecker(storage.connections, change))
    },
  }),
  operation({
    name: 'checker.get',
    method: 'GET',
    path: '/verification-service',
    role: 'viewer',
    about: 'The service that verifies account holders, without its secret; null where people do',
    result: Found,
    commands: [show],
    async run({ storage }) {
      const found = await findChecker(storage.connections)
      return { service: found === null ? null : checkerView(found) }
    },
  }),
  removal({
    name: 'checker.remove',
    path: '/verification-service',
    does: 'Have people verify account holders',
    words: 'verification unset',
    about: 'have people decide',
    object: 'verification_checker',
    done: 'people decide from now on: chapar verification list',
    remove: async ({ connections }) => await removeChecker(connections),
  }),
] as const
