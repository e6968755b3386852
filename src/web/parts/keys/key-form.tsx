import { Alert, Button, Group, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Fragment, useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { expiries, type KeyValues, type Project } from '../../key-values'
import { useNumbers } from '../../numbers'
import { isUsd, plainNumber } from '../../typed'
import { Failed } from '../failed'
import { ModelPicker } from '../model-picker'
import { ProjectPicker } from '../project-picker'
import { UsdInput } from '../money/usd-input'

interface KeyFormProps {
  readonly initial: KeyValues
  /** To choose from, for a new key; a key stays in its project. */
  readonly projects: readonly Project[] | null
  /** By the key, so far. */
  readonly spent: string
  /** When it expires by now; null for never. */
  readonly expiresAt: number | null
  readonly submit: string
  readonly busy: boolean
  readonly error: unknown
  readonly onSubmit: (values: KeyValues) => void
  readonly onCancel?: () => void
}

/** Form of a key's name and limits. */
export function KeyForm(props: KeyFormProps) {
  const { initial, projects, spent, submit, busy, error, onSubmit, onCancel } = props
  const t = useTranslations('limits')
  const { usd } = useNumbers()
  const form = useForm<KeyValues>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() === '' ? t('nameNeeded') : null),
      limit: (limit) => (limit.trim() === '' || isUsd(limit) ? null : t('amountWrong')),
      rpm: (rpm) => (/^(?:[1-9]\d{0,8})?$/.test(plainNumber(rpm)) ? null : t('rpmWrong')),
    },
  })
  const { limit } = form.values
  const isSpent = isUsd(limit) && Number(spent) > 0 && Number(plainNumber(limit)) <= Number(spent)
  // What a new key seldom needs stays folded; a key that is there shows what holds for it.
  const isNew = projects !== null
  const [open, setOpen] = useState(!isNew)
  const inputs: Readonly<Record<keyof KeyValues, ReactNode>> = {
    name: (
      <TextInput
        {...form.getInputProps('name')}
        label={t('name')}
        dir="auto"
        placeholder={t('nameExample')}
        required
        data-autofocus={isNew}
        maxLength={60}
      />
    ),
    project: projects !== null && projects.length > 1 && (
      <ProjectPicker
        label={t('project')}
        value={form.values.project}
        onChange={(project) => {
          if (project !== '') form.setFieldValue('project', project)
        }}
      />
    ),
    limit: (
      <>
        <UsdInput
          {...form.getInputProps('limit')}
          label={t('limit')}
          description={t('limitHint')}
          placeholder={t('none')}
        />
        {isSpent && (
          <Alert className="notice" p="xs" role="status">
            {t('limitSpent', { spent: usd(spent, 4) })}
          </Alert>
        )}
      </>
    ),
    rpm: (
      <TextInput
        {...form.getInputProps('rpm')}
        label={t('rpm')}
        description={t('rpmHint')}
        inputMode="numeric"
      />
    ),
    models: (
      <ModelPicker
        value={form.values.models}
        onChange={(models) => form.setFieldValue('models', models)}
      />
    ),
    addresses: (
      <TagsInput
        {...form.getInputProps('addresses')}
        label={t('addresses')}
        description={t('addressesHint')}
        placeholder={form.values.addresses.length === 0 ? t('allAddresses') : ''}
        splitChars={[',', ' ', '،']}
        acceptValueOnBlur
        styles={{ pill: { direction: 'ltr' } }}
      />
    ),
    expiry: <Expires {...form.getInputProps('expiry')} expiresAt={props.expiresAt} />,
  }
  const { name, project, limit: limitInput, ...folded } = inputs
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack>
        {name}
        {project}
        {limitInput}
        <details
          className="more"
          open={open}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>{t('more')}</summary>
          <Stack>
            {Object.entries(folded).map(([field, input]) => (
              <Fragment key={field}>{input}</Fragment>
            ))}
          </Stack>
        </details>
        <Failed error={error} />
        <Group justify="flex-end">
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" loading={busy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Expires({ expiresAt, ...field }: { readonly expiresAt: number | null }) {
  const t = useTranslations('limits')
  const { moment } = useNumbers()
  const same =
    expiresAt === null ? [] : [{ value: 'same', label: t('same', { when: moment(expiresAt) }) }]
  return (
    <NativeSelect
      {...field}
      label={t('expires')}
      data={[...same, ...expiries.map((value) => ({ value, label: t(value) }))]}
    />
  )
}
