import { Alert, Badge, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { CopyOnce } from '../../parts/copy-once'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { queries } from '../../queries'
import { useMay, type OperatorMe } from '../me'
import { operate, type Result } from '../operate'
import { RoleSelect } from './role-select'
import { Panel, Code } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

type Key = Result<'GET /operator-keys'>['data'][number]

const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op', 'op-keys'] })

/** Keys for `/admin/v1` and `--remote`. */
export function OperatorKeys() {
  const t = useTranslations('operatorKeys')
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const keys = useQuery({
    queryKey: ['op', 'op-keys'],
    queryFn: () => operate('GET /operator-keys', {}),
  })
  return (
    <Panel
      id="op-keys"
      title={t('title')}
      lead={t('lead')}
      actions={
        may('owner') && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        )
      }
    >
      <Failed error={keys.error} />
      <ul className="rows">
        {(keys.data?.data ?? []).map((item) => (
          <KeyRow key={item.id} item={item} />
        ))}
      </ul>
      {isAdding && <AddKey onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function KeyRow({ item }: { readonly item: Key }) {
  const t = useTranslations('operatorKeys')
  const roles = useTranslations('roles')
  const { date } = useNumbers()
  const may = useMay()
  const [isAsking, setRequesting] = useState(false)
  const { id, name, prefix, effective_role: role, expires, revoked } = item
  const revoke = async () => {
    await operate('DELETE /operator-keys/{id}', { params: { id } })
    await readAgain()
  }
  return (
    <li>
      <Group justify="space-between">
        <div>
          <Text size="sm" fw={550}>
            <bdi>{name}</bdi>
          </Text>
          <Code isSoft>{prefix}…</Code>
        </div>
        <Group gap="xs">
          <Text size="sm" className="soft number">
            {expires === null ? t('never') : t('until', { day: date(expires.slice(0, 10)) })}
          </Text>
          <Badge variant="light" tt="none" {...(role === null ? { color: 'gray' } : {})}>
            {role === null ? t(revoked === null ? 'over' : 'revoked') : roles(role)}
          </Badge>
          {may('owner') && revoked === null && (
            <Button
              size="xs"
              variant="default"
              c="var(--mantine-color-error)"
              onClick={() => setRequesting(true)}
            >
              {t('revoke')}
            </Button>
          )}
        </Group>
      </Group>
      {isAsking && (
        <Confirm
          title={t('revoke')}
          lead={t('revokeLead', { name })}
          action={t('revoke')}
          isDangerous
          work={revoke}
          onClose={() => setRequesting(false)}
        />
      )}
    </li>
  )
}

const dayMs = 86_400_000
const spans = ['30', '90', '365', ''] as const

function AddKey({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('operatorKeys')
  const [name, setName] = useState('')
  const [role, setRole] = useState<OperatorMe['role']>('viewer')
  const [days, setDays] = useState('90')
  const add = useMutation({
    mutationFn: () =>
      operate('POST /operator-keys', {
        body: {
          name,
          role,
          expires: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
        },
      }),
    onSuccess: readAgain,
  })
  if (add.data !== undefined)
    return (
      <Dialog opened onClose={onClose} isHeld title={t('made')}>
        <Stack>
          <Alert className="notice">{t('madeLead')}</Alert>
          <CopyOnce text={add.data.secret} label={t('made')} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('saved')}</Button>
          </Group>
        </Stack>
      </Dialog>
    )
  return (
    <FormDialog
      title={t('add')}
      action={t('add')}
      isReady={!(name.trim() === '')}
      saving={add}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
      />
      <RoleSelect value={role} onChange={setRole} />
      <NativeSelect
        label={t('expires')}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        data={spans.map((value) => ({
          value,
          label: value === '' ? t('never') : t('days', { count: Number(value) }),
        }))}
      />
    </FormDialog>
  )
}
