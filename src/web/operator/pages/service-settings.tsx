import { Anchor, Badge, Button, FileInput, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { queries } from '../../queries'
import { useMay } from '../me'
import { meaningLanguage, meaningOf, useRemark } from '../meanings'
import { operate, type Result } from '../operate'
import { Code, Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

type Setting = Result<'GET /settings'>['data'][number]

const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op', 'settings'] })

/** Page of settings: value, meaning, default, and source of each. */
export function ServiceSettings() {
  const t = useTranslations('serviceSettings')
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('text') ?? '')
  const settings = useQuery({
    queryKey: ['op', 'settings'],
    queryFn: () => operate('GET /settings', {}),
  })
  const wanted = text.trim().toLowerCase()
  const shown = (settings.data?.data ?? []).filter(
    (setting) =>
      setting.name.includes(wanted) || meaningOf(setting).about.toLowerCase().includes(wanted),
  )
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <TextInput
        label={t('search')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        type="search"
      />
      <Failed error={settings.error} onRetry={() => void settings.refetch()} />
      <section className="card">
        {settings.data !== undefined && shown.length === 0 ? (
          <Empty icon={IconAdjustments} title={t('none')} lead={t('noneLead')} />
        ) : (
          <ul className="list">
            {shown.map((setting) => (
              <li key={setting.name}>
                <SettingRow setting={setting} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </Stack>
  )
}

function SettingRow({ setting }: { readonly setting: Setting }) {
  const t = useTranslations('serviceSettings')
  const may = useMay()
  const [asking, setRequesting] = useState<'set' | 'reset' | null>(null)
  const close = () => setRequesting(null)
  const { name, source, locked, variable } = setting
  const remark = useRemark()(setting)
  const reset = async () => {
    await operate('DELETE /settings/{name}', { params: { name } })
    await readAgain()
  }
  return (
    <div className="list-link still">
      <div className="setting-row">
        <div>
          <Code>{name}</Code>
          <Group gap={6} mt={4}>
            <Badge variant="light" color={source === 'default' ? 'gray' : 'firuze'} tt="none">
              {t(source)}
            </Badge>
          </Group>
        </div>
        <div>
          <Text size="sm" fw={600} className="setting-value">
            <bdi dir="ltr">{setting.is_file ? String(setting.value ?? 'none') : setting.text}</bdi>
          </Text>
          <Soft>
            <bdi {...meaningLanguage}>{meaningOf(setting).about}</bdi>
          </Soft>
          {remark !== null && (
            <Text size="xs" className="soft">
              <bdi {...meaningLanguage}>{remark}</bdi>
            </Text>
          )}
          {name.startsWith('prices-') && (
            <Anchor component={Link} href="/operator/proposals" size="sm">
              {t('toProposals')}
            </Anchor>
          )}
          {locked && (
            <Text size="xs" className="soft">
              {t('locked', { variable: `\u2066${variable ?? ''}\u2069` })}
            </Text>
          )}
        </div>
        {may('owner') && (
          <Group gap="xs" justify="flex-end">
            <Button size="xs" variant="default" onClick={() => setRequesting('set')}>
              {t('change')}
            </Button>
            {source === 'command' && (
              <Button size="xs" variant="default" onClick={() => setRequesting('reset')}>
                {t('reset')}
              </Button>
            )}
          </Group>
        )}
      </div>
      {asking === 'set' && <SetSetting setting={setting} onClose={close} />}
      {asking === 'reset' && (
        <Confirm
          title={t('reset')}
          lead={t('resetLead', { name, value: String(setting.default ?? 'none') })}
          action={t('reset')}
          work={reset}
          onClose={close}
        />
      )}
    </div>
  )
}

interface SetSettingProps {
  readonly setting: Setting
  readonly onClose: () => void
}

/** A file's content, as an operation takes it. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}

function SetSetting({ setting, onClose }: SetSettingProps) {
  const t = useTranslations('serviceSettings')
  const { name, is_file: isFile } = setting
  const { about, written } = meaningOf(setting)
  const [text, setText] = useState(isFile ? '' : setting.text)
  const [file, setFile] = useState<File | null>(null)
  const save = useMutation({
    mutationFn: async () => {
      const value = isFile ? (file === null ? 'none' : await base64Of(file)) : text.trim()
      await operate('PUT /settings/{name}', { params: { name }, body: { value } })
    },
    async onSuccess() {
      await readAgain()
      onClose()
    },
  })
  return (
    <FormDialog title={name} saving={save} onClose={onClose}>
      <Text size="sm" className="soft" {...meaningLanguage}>
        {about}
      </Text>
      {isFile ? (
        <FileInput
          label={t('file')}
          description={written}
          value={file}
          onChange={setFile}
          clearable
        />
      ) : (
        <TextInput
          label={t('value')}
          description={<bdi {...meaningLanguage}>{written}</bdi>}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          dir="ltr"
          data-autofocus
        />
      )}
    </FormDialog>
  )
}
