import { Button, Group, SegmentedControl, Stack, TextInput, Switch } from '@mantine/core'
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconPlus, IconSearch, IconUsers } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { Empty } from '../../parts/empty'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { useMay } from '../me'
import { operate } from '../operate'
import { AccountRow, type ListedAccount } from '../parts/account-row'
import { queries } from '../../queries'
import { FormDialog } from '../../parts/form-dialog'

type Shown = 'all' | ListedAccount['status']

const maxOnPage = 50
const typingMs = 250

/** The beginning of a key is enough to find it: the rest stays in the browser. */
const searchable = (text: string): string => text.trim().replace(/^(sk-\w+-v\d+-\w{6})\w+$/, '$1')

/** Page of all accounts, newest first, with a search by number, name, phone or key. */
export function Accounts() {
  const t = useTranslations('accounts')
  const may = useMay()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(searchable(typed), typingMs)
  const [shown, setShown] = useState<Shown>('all')
  const [opened, { open, close }] = useDisclosure(new URLSearchParams(location.search).has('new'))
  const search = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => search.current?.focus()]])
  const query = { text, max: maxOnPage, ...(shown === 'all' ? {} : { status: shown }) }
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {may('staff') && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            {t('add')}
          </Button>
        )}
      </PageHead>
      <Group align="flex-end">
        <TextInput
          ref={search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          label={t('search')}
          placeholder={t('searchHint')}
          leftSection={<IconSearch size={16} />}
          type="search"
          style={{ flex: 1, minWidth: 220 }}
        />
        <SegmentedControl
          value={shown}
          onChange={(value) => setShown(value)}
          data={[
            { value: 'all', label: t('all') },
            { value: 'active', label: t('active') },
            { value: 'suspended', label: t('suspended') },
          ]}
        />
      </Group>
      <PagedList<ListedAccount, number>
        queryKey={['op', 'accounts', text, shown]}
        read={(before) =>
          operate('GET /accounts', {
            query: { ...query, ...(before === undefined ? {} : { before }) },
          })
        }
        keyOf={({ id }) => id}
        row={(account) => <AccountRow account={account} />}
        empty={<Empty icon={IconUsers} title={t('none')} lead={t('noneLead')} />}
      />
      {opened && <NewAccount onClose={close} />}
    </Stack>
  )
}

/** Makes an account, and goes to it. */
function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('accounts')
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const [verified, setVerified] = useState(false)
  const make = useMutation({
    mutationFn: () => operate('POST /accounts', { body: { name, verified } }),
    async onSuccess({ id }) {
      await queries.invalidateQueries({ queryKey: ['op', 'accounts'] })
      go(`/operator/accounts/${id}`)
    },
  })
  return (
    <FormDialog title={t('add')} action={t('make')} saving={make} onClose={onClose}>
      <TextInput
        label={t('name')}
        value={name}
        dir="auto"
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={60}
        required
        withAsterisk={false}
        data-autofocus
      />
      <Switch
        label={t('verifiedLead')}
        checked={verified}
        onChange={(event) => setVerified(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
