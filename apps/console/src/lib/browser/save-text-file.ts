/** Has the browser save what an address answers, under the name that the answer gives. */
export function saveFileFrom(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}

/** Has the browser save a text as a file; characters that file names cannot have become hyphens. */
export function saveTextFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  // Windows forbids these, no system likes control characters, and a leading dot hides the file.
  link.download = `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, "-").replace(/^\./, "-")}.txt`;
  document.body.append(link);
  link.click();
  link.remove();
  // The click has handed the file over by the time that this runs.
  setTimeout(() => URL.revokeObjectURL(address));
}
