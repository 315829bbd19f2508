import { ActionIcon, Button, Textarea } from "@mantine/core";
import { IconPhoto, IconPlayerStopFilled, IconSend, IconX } from "@tabler/icons-react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastWarning } from "../../../lib/toasts/toasts.ts";
import { draftStore, sendsDraftStore } from "../chat/playground-store.ts";
import type { Asking, PlaygroundActions } from "../use-playground.ts";
import classes from "./composer.module.css";
import { IMAGE_LIMITS, IMAGE_TYPES, readImages } from "./read-images.ts";

export const COMPOSER_ID = "playground-message";

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Returns a function that adds files to the draft and reports refused ones. */
function useAddImages(): (files: readonly File[]) => void {
  const { t } = useTranslation("playground");
  return (files) => {
    void readImages(files, draftStore.get().images.length).then(({ images, problem }) => {
      const draft = draftStore.get();
      if (images.length > 0) draftStore.set({ ...draft, images: [...draft.images, ...images] });
      if (problem === undefined) return;
      const limits = { size: IMAGE_LIMITS.bytes / BYTES_PER_MEGABYTE, most: IMAGE_LIMITS.count };
      toastWarning(t(`image.problem.${problem}`, limits));
    });
  };
}

function DraftImages() {
  const { t } = useTranslation("playground");
  const draft = draftStore.use();
  if (draft.images.length === 0) return null;
  return (
    <ul className={classes.images}>
      {draft.images.map(({ id, name, dataUrl }) => (
        <li key={id}>
          <img src={dataUrl} alt={name} />
          <ActionIcon
            className={classes.remove ?? ""}
            size={20}
            variant="default"
            aria-label={t("image.remove", { name })}
            onClick={() => draftStore.set({ ...draft, images: draft.images.filter((image) => image.id !== id) })}
          >
            <IconX size={12} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

/** The button that asks for a file; pictures can be pasted and dropped as well. */
function AttachButton({ onFiles }: { onFiles(files: readonly File[]): void }) {
  const { t } = useTranslation("playground");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES.join()}
        aria-label={t("image.add")}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <ActionIcon data-tip={t("image.add")} aria-label={t("image.add")} onClick={() => input.current?.click()}>
        <IconPhoto size={18} />
      </ActionIcon>
    </>
  );
}

/** Takes pictures that are pasted or dropped; everything else goes its usual way. */
function useDrops(isTaken: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    setOver(false);
    if (!isTaken || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    onFiles([...event.dataTransfer.files]);
  };
  const over = (event: DragEvent) => {
    if (!isTaken || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const paste = (event: ClipboardEvent) => {
    if (!isTaken || event.clipboardData.files.length === 0) return;
    event.preventDefault();
    onFiles([...event.clipboardData.files]);
  };
  return { isOver, handlers: { onDrop: drop, onDragOver: over, onDragLeave: () => setOver(false), onPaste: paste } };
}

/** True for Enter without Shift, outside of an input method. */
export function sendsBy(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
}

function useSendWhenReady(canSend: boolean, actions: PlaygroundActions): void {
  const sendsDraft = sendsDraftStore.use();
  useEffect(() => {
    if (!sendsDraft || !canSend) return;
    sendsDraftStore.set(false);
    actions.send();
  });
}

export function Composer({ asking, actions }: { asking: Asking; actions: PlaygroundActions }) {
  const { t } = useTranslation("playground");
  const draft = draftStore.use();
  const addImages = useAddImages();
  const takesImages = asking.asked.some(({ model }) => model?.parameters.includes("images") === true);
  const { isOver, handlers } = useDrops(takesImages, addImages);
  const isEmpty = draft.text.trim() === "" && draft.images.length === 0;
  const canSend = (!isEmpty || actions.isUnanswered) && actions.isReady && !actions.isRunning && !actions.isWaiting;
  useSendWhenReady(canSend, actions);
  const keyDown = (event: KeyboardEvent) => {
    if (!sendsBy(event)) return;
    event.preventDefault();
    if (canSend) actions.send();
  };
  return (
    <div className={classes.composer} data-over={isOver} {...handlers}>
      <DraftImages />
      <Textarea
        id={COMPOSER_ID}
        aria-label={t("composer.label")}
        placeholder={t(actions.isWaiting ? "composer.waiting" : "composer.placeholder")}
        autosize
        minRows={2}
        maxRows={10}
        variant="unstyled"
        value={draft.text}
        onChange={(event) => draftStore.set({ ...draft, text: event.currentTarget.value })}
        onKeyDown={keyDown}
      />
      <div className={classes.foot}>
        {takesImages && <AttachButton onFiles={addImages} />}
        <span className={classes.hint}>{t("composer.hint")}</span>
        {actions.isRunning ? (
          <Button variant="default" leftSection={<IconPlayerStopFilled size={16} />} onClick={actions.stop}>
            {t("composer.stop")}
          </Button>
        ) : (
          <Button leftSection={<IconSend size={16} />} disabled={!canSend} onClick={actions.send}>
            {t("composer.send")}
          </Button>
        )}
      </div>
    </div>
  );
}
