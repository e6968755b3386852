import { version } from '../../package.json'

/** Set by the build of an executable; from source there is none. */
declare const CHAPAR_BUILD: { readonly commit: string; readonly date: string } | undefined

/** The program that runs: its version, and the commit that it was built from with that one's day. */
export const build: {
  readonly version: string
  readonly commit: string
  readonly date: string
} = {
  version,
  ...(typeof CHAPAR_BUILD === 'undefined' ? { commit: 'source', date: 'source' } : CHAPAR_BUILD),
}

/** Version for people: `1.2.0 (commit 1a2b3c4d5e6f of 2026-11-22)`. */
export const buildText =
  build.commit === 'source'
    ? `${version} (from source)`
    : `${version} (commit ${build.commit} of ${build.date})`

/** Version with its build, as semantic versioning writes it: `1.2.0+1a2b3c4d5e6f`. */
export const buildName = build.commit === 'source' ? version : `${version}+${build.commit}`
