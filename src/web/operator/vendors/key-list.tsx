import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '../../parts/confirm'
import { Failed } from '../../parts/failed'
import { useMay } from '../me'
import { operate } from '../operate'
import { ForceSwitch, SecretField } from './fields'
import { isBuiltIn, readVendorsAgain, useVendorWords, type Vendor, type VendorKey } from './vendor'
import { VendorState } from './vendor-state'
import { Panel, Code } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

/** List of our credentials at a vendor: written, never read. */
export function KeyList({ vendor }: { readonly vendor: Vendor }) {
  const t = useTranslations('vendorKeys')
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const isOpen = may('owner') && !isBuiltIn(vendor)
  return (
    <Panel
      id="vendor-keys"
      title={t('title')}
      lead={t('lead')}
      actions={
        isOpen && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        )
      }
    >
      {vendor.credentials.length === 0 ? (
        <Text size="sm" mt="sm">
          {t('none')}
        </Text>
      ) : (
        <ul className="rows">
          {vendor.credentials.map((item) => (
            <KeyRow key={item.name} vendor={vendor} item={item} isOpen={isOpen} />
          ))}
        </ul>
      )}
      {isAdding && <KeyForm vendor={vendor.name} kept={null} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

interface KeyRowProps {
  readonly vendor: Vendor
  readonly item: VendorKey
  readonly isOpen: boolean
}

function KeyRow({ vendor, item, isOpen }: KeyRowProps) {
  const t = useTranslations('vendorKeys')
  const words = useVendorWords()
  const said = useTranslations('vendors')
  const [asking, setRequesting] = useState<'replace' | 'remove' | null>(null)
  const close = () => setRequesting(null)
  const { name, active } = item
  const params = { name: vendor.name, credential: name }
  const turn = useMutation({
    mutationFn: () =>
      operate('PATCH /vendors/{name}/credentials/{credential}', {
        params,
        body: { active: !active, test: false },
      }),
    onSuccess: readVendorsAgain,
  })
  return (
    <li>
      <Group justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text size="sm" fw={600} dir="ltr">
              {name}
            </Text>
            <Code isSoft>{item.api_key ?? '–'}</Code>
            <VendorState state={item.state} />
          </Group>
          <Text size="sm" className="soft number">
            {[
              item.cooling_until === null ? null : words.cooling(item.cooling_until),
              item.balance === null
                ? null
                : said('balance', { amount: words.balance(item.balance) }),
              item.checked === null ? null : said('checked', { when: words.moment(item.checked) }),
            ]
              .filter((each) => each !== null)
              .join(' · ')}
          </Text>
        </div>
        {isOpen && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              aria-label={t('replaceOf', { name })}
              onClick={() => setRequesting('replace')}
            >
              {t('replace')}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t(active ? 'offOf' : 'onOf', { name })}
              loading={turn.isPending}
              onClick={() => turn.mutate()}
            >
              {t(active ? 'off' : 'on')}
            </Button>
            <Button
              size="xs"
              variant="default"
              c="var(--mantine-color-error)"
              aria-label={t('removeOf', { name })}
              onClick={() => setRequesting('remove')}
            >
              {t('remove')}
            </Button>
          </Group>
        )}
      </Group>
      <Failed error={turn.error} />
      {asking === 'replace' && <KeyForm vendor={vendor.name} kept={name} onClose={close} />}
      {asking === 'remove' && (
        <Confirm
          title={t('removeOf', { name })}
          lead={t('removeLead', { name })}
          action={t('remove')}
          isDangerous
          work={async () => {
            await operate('DELETE /vendors/{name}/credentials/{credential}', { params })
            await readVendorsAgain()
          }}
          onClose={close}
        />
      )}
    </li>
  )
}

interface KeyFormProps {
  readonly vendor: string
  /** Name of the key that is replaced; null for another one. */
  readonly kept: string | null
  readonly onClose: () => void
}

function KeyForm({ vendor, kept, onClose }: KeyFormProps) {
  const t = useTranslations('vendorKeys')
  const [name, setName] = useState('')
  const [key, setKey] = useState('')
  const [force, setForce] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const sent = { api_key: key.trim(), test: true, force }
      return kept === null
        ? operate('POST /vendors/{name}/credentials', {
            params: { name: vendor },
            body: { ...sent, ...(name.trim() === '' ? {} : { name: name.trim() }) },
          })
        : operate('PATCH /vendors/{name}/credentials/{credential}', {
            params: { name: vendor, credential: kept },
            body: sent,
          })
    },
    async onSuccess() {
      await readVendorsAgain()
      onClose()
    },
  })
  return (
    <FormDialog
      title={kept === null ? t('add') : t('replaceOf', { name: kept })}
      action={t('save')}
      isReady={key.trim() !== ''}
      saving={save}
      onClose={onClose}
    >
      <SecretField
        label={t('key')}
        lead={t('keyLead')}
        value={key}
        onChange={setKey}
        isNeeded
        isFirst
      />
      {kept === null && (
        <TextInput
          label={t('name')}
          description={t('nameLead')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          dir="ltr"
          maxLength={64}
        />
      )}
      <ForceSwitch error={save.error} isOn={force} onChange={setForce} />
    </FormDialog>
  )
}
