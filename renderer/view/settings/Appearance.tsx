import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { Section } from './Section.tsx';
import { Segments } from './Segments.tsx';
import { useSave } from './useSave.ts';

export function Appearance() {
  const { forms } = useText();
  const words = forms.settings;
  const theme = useSettings((state) => state.window.theme);
  const language = useSettings((state) => state.window.language);
  const { trouble, run } = useSave();
  return (
    <Section id="appearance" title={words.appearance} trouble={trouble}>
      <Segments
        legend={words.theme}
        name="theme"
        value={theme}
        options={words.themes}
        onChoose={(to) => run({ at: ['window', 'theme'], to, seen: theme })}
      />
      <Segments
        legend={words.language}
        name="language"
        value={language}
        options={words.languages}
        onChoose={(to) => run({ at: ['window', 'language'], to, seen: language })}
      />
    </Section>
  );
}
