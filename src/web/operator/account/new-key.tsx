import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { CopyOnce } from '../../parts/copy-once'
import { Dialog } from '../../parts/dialog'
import { UsdInput } from '../../parts/money/usd-input'
import { isUsd, usdOrNull } from '../../typed'
import { operate, type Result } from '../operate'
import { readAccountAgain, type Project } from './account'
import { FormDialog } from '../../parts/form-dialog'
import { useTyped } from '../../parts/form'

interface NewProjectProps {
  readonly account: number
  readonly onClose: () => void
}

/** Dialog that makes a project in an account. */
export function NewProject({ account, onClose }: NewProjectProps) {
  const t = useTranslations('accountKeys')
  const { typed, field } = useTyped({ name: '', budget: '' })
  const make = useMutation({
    mutationFn: () =>
      operate('POST /accounts/{id}/projects', {
        params: { id: account },
        body: { name: typed.name, monthly_budget_usd: usdOrNull(typed.budget) },
      }),
    async onSuccess() {
      await readAccountAgain()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('addProject')}
      action={t('make')}
      isReady={!(typed.name.trim() === '' || (typed.budget !== '' && !isUsd(typed.budget)))}
      saving={make}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        {...field('name')}
        dir="auto"
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
      />
      <UsdInput label={t('budgetLabel')} description={t('budgetLead')} {...field('budget')} />
    </FormDialog>
  )
}

interface NewKeyProps {
  readonly projects: readonly Project[]
  readonly onClose: () => void
}

/** Makes a key, and shows its secret this once. */
export function NewKey({ projects, onClose }: NewKeyProps) {
  const t = useTranslations('accountKeys')
  const { typed, field } = useTyped({
    name: '',
    project: String(projects[0]?.id ?? ''),
    limit: '',
  })
  const make = useMutation({
    mutationFn: () =>
      operate('POST /projects/{id}/keys', {
        params: { id: Number(typed.project) },
        body: { name: typed.name, spend_limit_usd: usdOrNull(typed.limit) },
      }),
    onSuccess: readAccountAgain,
  })
  if (make.data !== undefined) return <KeyMade made={make.data} onClose={onClose} />
  return (
    <FormDialog
      title={t('addKey')}
      action={t('make')}
      isReady={!(typed.name.trim() === '' || (typed.limit !== '' && !isUsd(typed.limit)))}
      saving={make}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        {...field('name')}
        dir="auto"
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
      />
      <NativeSelect
        label={t('project')}
        {...field('project')}
        data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <UsdInput label={t('limit')} description={t('limitLead')} {...field('limit')} />
    </FormDialog>
  )
}

interface KeyMadeProps {
  readonly made: Result<'POST /projects/{id}/keys'>
  readonly onClose: () => void
}

function KeyMade({ made, onClose }: KeyMadeProps) {
  const t = useTranslations('accountKeys')
  return (
    <Dialog opened onClose={onClose} isHeld title={t('made')}>
      <Stack>
        <Alert className="notice">{t('madeLead')}</Alert>
        <CopyOnce text={made.secret} label={t('secret')} />
        {made.base_url !== null && <CopyOnce text={made.base_url} label={t('address')} />}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('handedOver')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
