import { Type, type Static } from '@sinclair/typebox'
import { mailOf, mailSecurities, parseEmail, type MailServer } from '../../mail/server'
import { AdminError } from '../admin-error'
import { removeMailServer, setMailServer } from '../mail-server'
import { WrittenSecret } from './card-gateways'
import { orNull } from './fields'
import { operation } from './operation'

const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Security = Type.Union(mailSecurities.map((each) => Type.Literal(each)))
const Text = Type.String({ minLength: 1, maxLength: 320 })

const MailView = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  security: Security,
  user: orNull(Type.String()),
  from: Type.String(),
  has_password: Type.Boolean(),
})

const mailShown = ({ password, ...server }: MailServer): Static<typeof MailView> => ({
  ...server,
  has_password: password !== null,
})

export const mailOperations = [
  operation({
    name: 'mail.get',
    method: 'GET',
    path: '/mail',
    role: 'viewer',
    about: 'The server that sends notices and codes by e-mail, without its password',
    result: Type.Object({ server: orNull(MailView) }),
    async run({ storage }) {
      const found = await storage.connections.find('mail')
      return { server: found === null ? null : mailShown(mailOf(found)) }
    },
  }),
  operation({
    name: 'mail.set',
    method: 'PUT',
    path: '/mail',
    role: 'owner',
    about: 'Set up the mail server, or change it; a password that is left out stays as it is',
    body: {
      host: Text,
      /** The usual one of the security where it is left out. */
      port: Type.Optional(orNull(Port)),
      security: Security,
      user: Type.Optional(orNull(Text)),
      from: Text,
      password: Type.Optional(WrittenSecret),
    },
    result: MailView,
    async run({ storage }, { body }) {
      const { host, port = null, security, user = null, from, password = null } = body
      const wanted = { host: host.trim(), port, security, user, from: from.trim(), password }
      return mailShown(await setMailServer(storage.connections, wanted))
    },
  }),
  operation({
    name: 'mail.remove',
    method: 'DELETE',
    path: '/mail',
    role: 'owner',
    about: 'Send no mail any more',
    result: Type.Object({ removed: Type.Boolean() }),
    async run({ storage }) {
      await removeMailServer(storage.connections)
      return { removed: true }
    },
  }),
  operation({
    name: 'mail.test',
    method: 'POST',
    path: '/mail/test',
    role: 'owner',
    about: 'Send a letter for trying',
    body: { to: Text },
    result: Type.Object({ to: Type.String() }),
    async run({ service }, { body }) {
      const to = parseEmail(body.to)
      if (to === null)
        throw new AdminError('input_invalid', { field: 'to', rule: 'bad_form', form: 'email' })
      await service.trials.mail(to)
      return { to }
    },
  }),
] as const
