/** Shows a push. All pushes have one tag, so that a later one replaces the one before. */
addEventListener("push", (event) => {
  const { title, body } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body, tag: "news", icon: "/icon-192.png" }));
});

/** Opens the list of notifications in a tab of ours, or in a new one. */
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window" }).then(async ([tab]) => {
      const shown = await tab?.navigate("/notificaciones").catch(() => null);
      return shown ? shown.focus() : clients.openWindow("/notificaciones");
    }),
  );
});
