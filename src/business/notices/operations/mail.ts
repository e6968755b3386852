import { Type, type Static } from '@sinclair/typebox'
import { mailOf, mailSecurities, parseEmail, type MailServer } from '../mail/server'
import { AdminError } from '../../operations/admin-error'
import { removeMailServer, setMailServer } from '../mail-server'
import { WrittenSecret } from '../../payments/operations/card-gateways'
import type { CommandForm } from '../../operations/command'
import { removal } from '../../operations/connection'
import { orNull } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

const maxPort = 65_535
const Port = Type.Integer({ minimum: 1, maximum: maxPort })
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

const Found = Type.Object({ server: orNull(MailView) })
const Tried = Type.Object({ to: Type.String(), host: Type.String() })

/** As it was shown before: that there is a password. */
const formerNames = (view: object) => ({
  password: 'has_password' in view && view.has_password === true ? '•••' : null,
})

const set: CommandForm<Static<typeof MailView>> = {
  words: 'mail set',
  about: 'set up the mail server, or change it',
  example:
    'mail set --host smtp.example.com --user notices --from "Chapar <notices@example.com>" --password-stdin < password',
  object: 'mail_server',
  formerNames,
  said: ({ host, port }) => ({
    stdout: [`mail goes out by ${host}:${port}; try it: chapar mail test you@example.com`],
  }),
}

/** @throws AdminError mail_not_found */
function found({ server }: Static<typeof Found>): Static<typeof MailView> {
  if (server === null) throw new AdminError('mail_not_found', {})
  return server
}

const show: CommandForm<Static<typeof Found>> = {
  words: 'mail show',
  about: 'show the mail server, without its password',
  example: 'mail show',
  object: 'mail_server',
  subject: found,
  formerNames,
  said(told) {
    const { has_password: _, ...fields } = found(told)
    return { fields: { ...fields, ...formerNames(found(told)) }, stdout: [] }
  },
}

const test: CommandForm<Static<typeof Tried>> = {
  words: 'mail test',
  example: 'mail test you@example.com',
  places: { to: '<address>' },
  object: 'mail.test',
  formerNames: () => ({ ok: true }),
  said: ({ to, host }) => ({ stdout: [`✓ ${host} took a letter to ${to}`] }),
}

export const mailOperations = [
  operation({
    name: 'mail.set',
    method: 'PUT',
    path: '/mail',
    role: 'owner',
    about: 'Set up the mail server, or change it; a password that is left out stays as it is',
    body: {
      host: asOption(Text, 'name of the server', { option: 'host <name>' }),
      port: asOption(
        Type.Optional(orNull(Port)),
        'port; unless said 465 for tls, 587 for starttls',
        { kind: 'count', option: 'port <port>', most: maxPort },
      ),
      security: asOption(
        Type.Union(
          mailSecurities.map((each) => Type.Literal(each)),
          { default: 'tls' },
        ),
        'tls from the first byte, or starttls; none for this machine',
        { kind: 'choice', option: 'security <kind>', choices: mailSecurities },
      ),
      user: asOption(Type.Optional(orNull(Text)), 'who signs in there', { option: 'user <name>' }),
      from: asOption(Text, 'who letters are from', { option: 'from <address>' }),
      password: asOption(
        Type.Optional(WrittenSecret),
        'read the password from standard input; kept sealed',
        { fromStdin: true },
      ),
    },
    result: MailView,
    commands: [set],
    async run({ storage }, { body }) {
      const { host, port = null, security, user = null, from, password = null } = body
      const wanted = { host: host.trim(), port, security, user, from: from.trim(), password }
      return mailShown(await setMailServer(storage.connections, wanted))
    },
  }),
  operation({
    name: 'mail.get',
    method: 'GET',
    path: '/mail',
    role: 'viewer',
    about: 'The server that sends notices and codes by e-mail, without its password',
    result: Found,
    commands: [show],
    async run({ storage }) {
      const found = await storage.connections.find('mail')
      return { server: found === null ? null : mailShown(mailOf(found)) }
    },
  }),
  operation({
    name: 'mail.test',
    method: 'POST',
    path: '/mail/test',
    role: 'owner',
    about: 'Send a letter for trying',
    body: { to: asOption(Text, 'an address of yours') },
    result: Tried,
    commands: [test],
    async run({ service }, { body }) {
      const to = parseEmail(body.to)
      if (to === null)
        throw new AdminError('input_invalid', { field: 'to', rule: 'bad_form', form: 'email' })
      return { to, ...(await service.trials.mail(to)) }
    },
  }),
  removal({
    name: 'mail.remove',
    path: '/mail',
    does: 'Send no mail any more',
    words: 'mail remove',
    object: 'mail_server',
    done: 'no mail is sent any more',
    remove: async ({ connections }) => await removeMailServer(connections),
  }),
] as const
