import { describe, expect, it } from 'vitest';
import { releaseNotes } from '../../src/release/changelog-section.ts';

const changelog = [
  '# Changelog',
  'How it is kept.',
  '## Unreleased',
  '### Added',
  '- Not yet out.',
  '## [1.10.0] - 2026-03-01',
  '- Ten.',
  '## 1.1.0',
  '### Fixed',
  '- One.',
  '## v1.0.0',
  '- First.',
].join('\n\n');

describe('the notes of a release', () => {
  it.each([
    ['1.10.0', '- Ten.'],
    ['1.1.0', '### Fixed\n\n- One.'],
    ['1.0.0', '- First.'],
  ])('%s has its own section, whole and without its neighbours', (version, body) => {
    expect(releaseNotes(changelog, 'batch-video', version)).toEqual({
      text: `# batch-video ${version}\n\n${body}\n`,
      isUnreleased: false,
    });
  });

  it('a version without a section has what is unreleased, and says so', () => {
    const { text, isUnreleased } = releaseNotes(changelog.replaceAll('\n', '\r\n'), 'batch-video', '1.2.0');
    expect(isUnreleased).toBe(true);
    expect(text.split('\n\n')).toEqual([
      '# batch-video 1.2.0',
      'CHANGELOG.md has no section for 1.2.0 yet: this is what it has under "Unreleased".',
      '### Added',
      '- Not yet out.\n',
    ]);
  });

  it.each([
    ['no section at all', '# Changelog\n'],
    ['an empty one', '# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- First.\n'],
    ['an empty one of its own', '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.0\n'],
  ])('with %s there is nothing to release', (_, text) => {
    expect(() => releaseNotes(text, 'batch-video', '1.2.0')).toThrow(
      'CHANGELOG.md says nothing of 1.2.0, nor under "Unreleased"; write what is new',
    );
  });
});
