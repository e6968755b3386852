import { Type, type Static } from '@sinclair/typebox'
import type { CommandForm } from './command'
import { operation } from './operation'
import type { KeptParts } from './parts'

/*
 * The service has at most one of some connections (mail server, sister service, checker of identities), each
 * with a sealed secret.
 */

const Removed = Type.Object({ removed: Type.Boolean() })

interface Removal<Path extends string> extends Pick<
  CommandForm<Static<typeof Removed>>,
  'words' | 'about' | 'object'
> {
  readonly name: string
  readonly path: Path
  /** Of the operation; the command has `about`, where they differ. */
  readonly does: string
  /** Printed once it is removed. */
  readonly done: string
  /** @throws AdminError where there is none */
  remove(storage: KeptParts['storage']): Promise<void>
}

/** The operation that removes a connection, with its command. */
export const removal = <const Path extends string>(of: Removal<Path>) => {
  const { name, path, does, done, remove, ...form } = of
  return operation({
    name,
    method: 'DELETE',
    path,
    role: 'owner',
    about: does,
    result: Removed,
    commands: [
      {
        ...form,
        example: form.words,
        formerNames: () => ({ deleted: true }),
        said: () => ({ stdout: [done] }),
      },
    ],
    async run({ storage }) {
      await remove(storage)
      return { removed: true }
    },
  })
}

/** As a secret was shown before: that there is one. */
export const masked = (view: object) => ({
  secret: 'has_secret' in view && view.has_secret === true ? '•••' : null,
})
