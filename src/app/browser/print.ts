/** Lets a button print the page: without scripts the browser's menu does. */
const button = document.getElementById('print')
button?.addEventListener('click', () => print())
button?.removeAttribute('hidden')
