import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { CopyOnce } from '../../parts/copy-once'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { UsdInput } from '../../parts/usd-input'
import { isUsd, usdOrNull } from '../../typed'
import { operate } from '../operate'
import { readAccountAgain, type Project } from './account'

interface NewProjectProps {
  readonly account: number
  readonly onClose: () => void
}

export function NewProject({ account, onClose }: NewProjectProps) {
  const t = useTranslations('accountKeys')
  const [typed, setTyped] = useState({ name: '', budget: '' })
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <Dialog opened onClose={onClose} title={t('addProject')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('name')}
            value={typed.name}
            onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
            required
            withAsterisk={false}
            maxLength={60}
            data-autofocus
          />
          <UsdInput
            label={t('budgetLabel')}
            description={t('budgetLead')}
            value={typed.budget}
            onChange={(event) => setTyped({ ...typed, budget: event.currentTarget.value })}
          />
          <Failed error={make.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              loading={make.isPending}
              disabled={typed.name.trim() === '' || (typed.budget !== '' && !isUsd(typed.budget))}
            >
              {t('make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface NewKeyProps {
  readonly projects: readonly Project[]
  readonly onClose: () => void
}

/** Makes a key, and shows its secret this once. */
export function NewKey({ projects, onClose }: NewKeyProps) {
  const t = useTranslations('accountKeys')
  const [typed, setTyped] = useState({
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  if (make.data !== undefined)
    return (
      <Dialog opened onClose={onClose} isHeld title={t('made')}>
        <Stack>
          <Alert className="notice">{t('madeLead')}</Alert>
          <CopyOnce text={make.data.secret} label={t('secret')} />
          {make.data.base_url !== null && (
            <CopyOnce text={make.data.base_url} label={t('address')} />
          )}
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('handedOver')}</Button>
          </Group>
        </Stack>
      </Dialog>
    )
  return (
    <Dialog opened onClose={onClose} title={t('addKey')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('name')}
            value={typed.name}
            onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
            required
            withAsterisk={false}
            maxLength={60}
            data-autofocus
          />
          <NativeSelect
            label={t('project')}
            value={typed.project}
            onChange={(event) => setTyped({ ...typed, project: event.currentTarget.value })}
            data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <UsdInput
            label={t('limit')}
            description={t('limitLead')}
            value={typed.limit}
            onChange={(event) => setTyped({ ...typed, limit: event.currentTarget.value })}
          />
          <Failed error={make.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              loading={make.isPending}
              disabled={typed.name.trim() === '' || (typed.limit !== '' && !isUsd(typed.limit))}
            >
              {t('make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
