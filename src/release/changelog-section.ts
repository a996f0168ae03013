/** Pure. What CHANGELOG.md says of one version. */

interface ReleaseNotes {
  readonly text: string;
  /** The version has no section of its own, so that what stands under "Unreleased" was taken. */
  readonly isUnreleased: boolean;
}

/** `## [1.2.0] - 2026-03-01` and `## 1.2.0` are both of version 1.2.0. */
const titleOf = (section: string): string | undefined => /^## \[?v?([^\s\]]+)/.exec(section)?.[1];
const bodyOf = (section: string): string => section.replace(/^.*/, '').trim();

/** Throws where there is nothing to say of the version: nobody knows then what is released. */
export function releaseNotes(changelog: string, name: string, version: string): ReleaseNotes {
  const sections = changelog.replaceAll('\r\n', '\n').split(/^(?=## )/m);
  const own = sections.find((section) => titleOf(section) === version);
  const body = bodyOf(own ?? sections.find((section) => titleOf(section) === 'Unreleased') ?? '');
  if (body === '')
    throw new Error(`CHANGELOG.md says nothing of ${version}, nor under "Unreleased"; write what is new`);
  const isUnreleased = own === undefined;
  const remark = `CHANGELOG.md has no section for ${version} yet: this is what it has under "Unreleased".`;
  const parts = [`# ${name} ${version}`, ...(isUnreleased ? [remark] : []), body];
  return { text: `${parts.join('\n\n')}\n`, isUnreleased };
}
