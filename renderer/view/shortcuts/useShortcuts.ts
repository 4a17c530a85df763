import { useEffect } from 'react';
import { useSettings } from '../../store/settings.ts';
import { COMMANDS, COMMAND_NAMES, IS_MAC, keysFor, type CommandName } from './commands.ts';
import { keysOf, parseKeys, sameKeys, type Keys } from './keys.ts';

/** Hears the keys of every command, wherever the focus is. Held keys and composition start nothing. */
export function useShortcuts(): void {
  const chosen = useSettings((state) => state.window.shortcuts);
  useEffect(() => {
    const table = COMMAND_NAMES.map((name): [CommandName, Keys | undefined] => [
      name,
      parseKeys(keysFor(name, chosen)),
    ]);
    const hear = (event: KeyboardEvent): void => {
      if (event.isComposing || event.repeat || event.defaultPrevented || isBarred()) return;
      const pressed = keysOf(event, IS_MAC);
      const found = table.find(([, keys]) => keys && sameKeys(keys, pressed));
      if (!found) return;
      event.preventDefault();
      COMMANDS[found[0]].run();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [chosen]);
}

/** An alert dialog wants its answer before anything else happens. */
function isBarred(): boolean {
  return document.querySelector('[role="alertdialog"]') !== null;
}
