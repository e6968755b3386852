import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { queries } from '../../queries'
import { FormDialog } from '../../parts/form-dialog'
import { useTyped } from '../../parts/form'

/** Kind of an outside service: its options and whether it has a secret. */
export interface ConnectionKind {
  readonly kind: string
  /** Null where it has none. */
  readonly secret: { readonly about: string; readonly isNeeded: boolean } | null
  readonly options: readonly {
    readonly name: string
    readonly about: string
    readonly preset: string | null
  }[]
}

interface ConnectionFormProps {
  readonly title: string
  readonly kinds: readonly ConnectionKind[]
  /** Null for a new one. */
  readonly kept: {
    readonly name: string
    readonly kind: string
    readonly options: Readonly<Record<string, string>>
    readonly has_secret: boolean
  } | null
  readonly save: (connection: {
    readonly name: string
    readonly kind: string
    readonly options: Readonly<Record<string, string>>
    readonly secret?: string
  }) => Promise<unknown>
  readonly onClose: () => void
}

/** Name, kind, what the kind needs, and a secret that is written and never read. */
export function ConnectionForm({ title, kinds, kept, save, onClose }: ConnectionFormProps) {
  const t = useTranslations('connections')
  const keptOptions: Readonly<Record<string, string>> = { ...kept?.options }
  const { typed, setTyped, field } = useTyped({
    name: kept?.name ?? '',
    kind: kept?.kind ?? kinds[0]?.kind ?? '',
    options: keptOptions,
    secret: '',
  })
  const wanted = kinds.find(({ kind }) => kind === typed.kind)
  const saving = useMutation({
    mutationFn: () => {
      const known = new Set(wanted?.options.map(({ name }) => name))
      const { name, kind, secret } = typed
      const options = Object.fromEntries(
        Object.entries(typed.options).filter(
          ([option, value]) => known.has(option) && value !== '',
        ),
      )
      return save({ name, kind, options, ...(secret.trim() === '' ? {} : { secret }) })
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['op'] })
      onClose()
    },
  })
  return (
    <FormDialog title={title} saving={saving} onClose={onClose}>
      {kept === null && (
        <>
          <TextInput
            label={t('name')}
            description={t('nameLead')}
            {...field('name')}
            dir="ltr"
            maxLength={40}
            required
            withAsterisk={false}
            data-autofocus
          />
          <NativeSelect label={t('kind')} {...field('kind')} data={kinds.map(({ kind }) => kind)} />
        </>
      )}
      {wanted?.options.map(({ name, about, preset }) => (
        <TextInput
          key={name}
          label={<bdi dir="ltr">{name}</bdi>}
          description={
            <bdi dir="ltr" lang="en">
              {about}
            </bdi>
          }
          placeholder={preset ?? ''}
          value={typed.options[name] ?? ''}
          onChange={(event) =>
            setTyped({
              ...typed,
              options: { ...typed.options, [name]: event.currentTarget.value },
            })
          }
          dir="ltr"
          required={preset === null}
          withAsterisk={false}
        />
      ))}
      {wanted !== undefined && wanted.secret !== null && (
        <Textarea
          label={t('secret')}
          description={
            <>
              <bdi dir="ltr" lang="en">
                {wanted.secret.about}
              </bdi>{' '}
              {kept?.has_secret === true && t('secretKept')}
            </>
          }
          {...field('secret')}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          autosize
          minRows={1}
          required={wanted.secret.isNeeded && kept?.has_secret !== true}
          withAsterisk={false}
        />
      )}
    </FormDialog>
  )
}
