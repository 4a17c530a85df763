import { Menu } from '@base-ui/react/menu';
import { useText } from '../../text/text.ts';
import type { RowActions } from './RowContext.ts';
import type { OpenMenu } from './useRowActionsOf.ts';

interface RowMenuProps {
  readonly menu: OpenMenu;
  readonly actions: RowActions;
  readonly isRaw: boolean;
  readonly onClose: () => void;
}

/** What can be done with any row; the same two stand on `r` and `c`. */
export function RowMenu({ menu: { key, anchor }, actions, isRaw, onClose }: RowMenuProps) {
  const { transcript } = useText();
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      {/* Beside the page's own regions no screen reader would look for it. */}
      <Menu.Portal container={anchor.closest('main')}>
        <Menu.Positioner anchor={anchor} side="bottom" align="end" sideOffset={2} className="t-menu-place">
          <Menu.Popup className="t-menu" aria-label={transcript.menu} finalFocus={() => anchor}>
            <Menu.Item className="t-menu-item" onClick={() => actions.toggleRaw(key)}>
              {isRaw ? transcript.hideRaw : transcript.rawEvent}
              <kbd className="key">R</kbd>
            </Menu.Item>
            <Menu.Item className="t-menu-item" onClick={() => actions.copyReport(key)}>
              {transcript.bugReport}
              <kbd className="key">C</kbd>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
